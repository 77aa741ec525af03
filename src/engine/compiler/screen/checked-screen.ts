import type { Logic, Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';

/** Conditions of fields, except visibility. Each table is keyed by field name. */
export interface FieldConditions {
  readonly requiredWhen: Readonly<Record<string, Logic>>;
  /** Condition for each choice, in order. */
  readonly offeredWhen: Readonly<Record<string, readonly Logic[]>>;
  /** For a choice between alternatives, which is never sent: the rule that derives it from other values. */
  readonly decidedBy: Readonly<Record<string, Logic>>;
}

/** A screen whose files have been read and checked. */
export interface CheckedScreen {
  readonly id: string;
  readonly schema: JsonObject | null;
  /** Fields that the compiler could not read. Their rules and texts are not checked. */
  readonly unread: ReadonlySet<string>;
  readonly conditions: FieldConditions;
  /** In the base language. */
  readonly ui: Ui;
  /** By language. */
  readonly uis: ReadonlyMap<string, Ui>;
}
