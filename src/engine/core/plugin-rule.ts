import type { JsonObject, ValuesByName } from './json.ts';

/** Selects the message `<keyword>.<reason>` (or `<keyword>`). `values` fill its `{placeholders}`. */
export interface RuleFailure {
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface RuleInput<Parameters = unknown> {
  /** Value to check: the value of the field at level `field`, or the complete object at level `form`. Never `undefined`. */
  readonly value: unknown;
  /** Value of the keyword in schema.json. */
  readonly parameters: Parameters;
  /** Values of the form, and the answers of earlier steps that the screen declares. */
  readonly form: ValuesByName;
  /** Facts outside the form, e.g. flags and the user's record. The server uses its own records. */
  readonly context: ValuesByName;
}

export const pluginRuleFieldTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

export const fieldNameParameterSchema = { type: 'string', minLength: 1, names: 'field' } as const;

interface FieldLevelRule {
  readonly level: 'field';
  /** Supported field types. The compiler rejects the rule on other types. */
  readonly types: readonly (typeof pluginRuleFieldTypes)[number][];
  readonly target?: undefined;
}

/** Rule for the complete object, in the schema beside `properties`. */
interface FormLevelRule<Parameters> {
  readonly level: 'form';
  readonly types?: undefined;
  /** Returns the field that shows the message. If absent, the message appears above the form. */
  readonly target?: (parameters: Parameters) => string;
}

/** One JSON Schema keyword. Runs in the browser and on the server, so it must be pure, synchronous and platform-independent. */
export type PluginValidationRule<Parameters = never> = AnyRule<Parameters> &
  (FieldLevelRule | FormLevelRule<Parameters>);

interface AnyRule<Parameters> {
  readonly keyword: string;
  /** JSON Schema of the keyword's value. The compiler enforces it. */
  readonly parameters: JsonObject;
  readonly reads?: (parameters: Parameters) => readonly string[];
  readonly facts?: (parameters: Parameters) => readonly string[];
  /** Returns why the value is invalid. Returns `null` if it is valid. */
  readonly check: (input: RuleInput<Parameters>) => RuleFailure | null;
}

/** A JSON-logic operator. It must be a pure function of plain values. */
export type JsonLogicOperatorFunction = (...values: unknown[]) => unknown;

/** Exports of `plugins/<name>/rule.ts`, all optional. Messages are in the plugin's texts.json: `{ "es": { "<keyword>.<reason>": "…" } }`. */
export interface PluginRuleModule {
  readonly rules?: readonly PluginValidationRule[];
  readonly formats?: Readonly<Record<string, (value: string) => boolean>>;
  readonly operators?: Readonly<Record<string, JsonLogicOperatorFunction>>;
}

/** Erases the parameter type of a rule, so that a list can contain rules with different parameters. */
export function defineRule<Parameters>(rule: PluginValidationRule<Parameters>): PluginValidationRule {
  return rule as unknown as PluginValidationRule; // the compiler validates parameters against `rule.parameters`, so the erased type is safe
}
