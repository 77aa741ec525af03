import type { Ui } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import type { FieldConditions } from '../standard/expand-standard.ts';

/** A screen whose files were read, in every language. */
export interface CheckedScreen {
  readonly id: string;
  readonly schema: JsonObject | null;
  readonly conditions: FieldConditions;
  /** In the language that its files are written in. */
  readonly ui: Ui;
  /** In each language. */
  readonly uis: ReadonlyMap<string, Ui>;
}
