import type { Logic, Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';

/** What follows the answers of a form beside its visibility, by field. */
export interface FieldConditions {
  /** When it must be filled in. */
  readonly requiredWhen: Readonly<Record<string, Logic>>;
  /** When each of its choices is offered, in their order. */
  readonly offeredWhen: Readonly<Record<string, readonly Logic[]>>;
  /** Of a choice between alternatives, which is never sent: what the other values say of it. */
  readonly decidedBy: Readonly<Record<string, Logic>>;
}

/** A screen whose files were read, in every language. */
export interface CheckedScreen {
  readonly id: string;
  readonly schema: JsonObject | null;
  /** Names of fields that the compiler could not read, and refused: rules and texts of these are not checked. */
  readonly unread: ReadonlySet<string>;
  readonly conditions: FieldConditions;
  /** In the language that its files are written in. */
  readonly ui: Ui;
  /** In each language. */
  readonly uis: ReadonlyMap<string, Ui>;
}
