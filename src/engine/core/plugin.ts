import type { JsonObject, Values } from './json.ts';

/** Reason why a rule refuses a value. It selects the message `<keyword>.<reason>` (or `<keyword>`) and fills its `{placeholders}`. */
export interface Failure {
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

export interface RuleInput<Parameters = unknown> {
  /** Value to check: at level `field` that of the property, at level `form` the complete object. Never `undefined`. */
  readonly value: unknown;
  /** Value of the keyword in schema.json. */
  readonly parameters: Parameters;
  /** The object with the property: the form values, and the answers of earlier steps that the screen declares. */
  readonly form: Values;
  /** Facts outside the form (flags, the user's record). The server fills them from its own records. */
  readonly context: Values;
}

export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

/** Schema of a parameter that is the name of a field. */
export const fieldName = { type: 'string', minLength: 1, names: 'field' } as const;

interface FieldLevelRule {
  readonly level: 'field';
  /** Field types that the rule supports. The compiler refuses the rule on other types. */
  readonly types: readonly (typeof fieldTypes)[number][];
  readonly target?: undefined;
}

/** A rule beside `properties`, for the whole object. */
interface FormLevelRule<Parameters> {
  readonly level: 'form';
  readonly types?: undefined;
  /** Field that shows the message. If absent, the message appears above the form. */
  readonly target?: (parameters: Parameters) => string;
}

/**
 * A validation rule of a plugin: one JSON Schema keyword. It runs in the browser and on the server. It must be pure and synchronous, and import
 * nothing that only one of them has.
 */
export type Rule<Parameters = never> = AnyRule<Parameters> & (FieldLevelRule | FormLevelRule<Parameters>);

interface AnyRule<Parameters> {
  /** The keyword in schema.json, e.g. `matches`. */
  readonly keyword: string;
  /** JSON Schema of the keyword's value. The compiler refuses a schema.json that does not satisfy it. */
  readonly parameters: JsonObject;
  /** Other fields that can change the result. */
  readonly reads?: (parameters: Parameters) => readonly string[];
  /** Names of the facts that `check` reads from the context. */
  readonly facts?: (parameters: Parameters) => readonly string[];
  /** Returns `null` if the value is valid. */
  readonly check: (input: RuleInput<Parameters>) => Failure | null;
}

/** A JSON-logic operator. It must be a pure function of plain values. */
export type Operator = (...values: unknown[]) => unknown;

/** Exports of `plugins/<name>/rule.ts`, all optional. Messages are in the plugin's texts.json: `{ "es": { "<keyword>.<reason>": "…" } }`. */
export interface RuleModule {
  readonly rules?: readonly Rule[];
  readonly formats?: Readonly<Record<string, (value: string) => boolean>>;
  readonly operators?: Readonly<Record<string, Operator>>;
}

/** Erases the parameter type of a rule, so that one list can hold rules with different parameters. */
export function defineRule<Parameters>(rule: Rule<Parameters>): Rule {
  return rule as unknown as Rule; // the compiler checks parameters against `rule.parameters` before `check` runs
}
