import type { JsonObject, Values } from './json.ts';

/** Why a rule refuses a value: picks the message `<keyword>.<reason>` (or `<keyword>`) and fills its `{placeholders}`. */
export interface Failure {
  readonly reason?: string;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** What a rule is asked about. */
export interface RuleInput<Parameters = unknown> {
  /** The property's value at level `field`; the whole object at level `form`. Never undefined. */
  readonly value: unknown;
  /** What stands behind the keyword in schema.json. */
  readonly parameters: Parameters;
  /** The object that holds the property: the values of the form, and answers of earlier steps that the screen declares. */
  readonly form: Values;
  /** Facts that no form holds (flags, the citizen's record); the server fills it from its own records. */
  readonly context: Values;
}

/** The types of fields, as JSON Schema names them. */
export const fieldTypes = ['string', 'number', 'integer', 'boolean', 'array'] as const;

/** The schema of a parameter that names a field. */
export const fieldName = { type: 'string', minLength: 1, names: 'field' } as const;

/** A rule that stands in a property's schema. */
interface OfField {
  readonly level: 'field';
  /** The types of the fields that it fits; the compiler refuses it at any other. */
  readonly types: readonly (typeof fieldTypes)[number][];
  readonly target?: undefined;
}

/** A rule that stands beside `properties` and sees the whole object. */
interface OfForm<Parameters> {
  readonly level: 'form';
  readonly types?: undefined;
  /** The field that carries the message; without it the message stands above the form. */
  readonly target?: (parameters: Parameters) => string;
}

/**
 * A validation rule that a plugin brings: one JSON Schema keyword. It runs in the browser and on the server, so it is
 * pure, synchronous and free of imports that only one of them has.
 */
export type Rule<Parameters = never> = AnyRule<Parameters> & (OfField | OfForm<Parameters>);

/** What rules of either level are. */
interface AnyRule<Parameters> {
  /** The keyword as analysts write it in schema.json, e.g. `matches`. */
  readonly keyword: string;
  /** JSON Schema of the keyword's parameters; the compiler refuses a schema.json that does not satisfy it. */
  readonly parameters: JsonObject;
  /** The other fields whose change can alter the verdict. */
  readonly reads?: (parameters: Parameters) => readonly string[];
  /** What its check reads of the context, by the names of the facts. */
  readonly facts?: (parameters: Parameters) => readonly string[];
  /** Null when the value is fine. */
  readonly check: (input: RuleInput<Parameters>) => Failure | null;
}

/** A named JSON-logic operator: pure, of plain values. */
export type Operator = (...values: unknown[]) => unknown;

/**
 * What `plugins/<name>/rule.ts` exports, each part optional. A plugin's messages stand in its texts.json:
 * `{ "es": { "<keyword>.<reason>": "…" }, "pt": { … } }`.
 */
export interface RuleModule {
  readonly rules?: readonly Rule[];
  /** JSON Schema formats by name. */
  readonly formats?: Readonly<Record<string, (value: string) => boolean>>;
  /** JSON-logic operators by name. */
  readonly operators?: Readonly<Record<string, Operator>>;
}

/** Keeps the parameter type of one rule while a list holds rules of many. */
export function defineRule<Parameters>(rule: Rule<Parameters>): Rule {
  return rule as unknown as Rule; // the compiler checks parameters against `rule.parameters` before `check` sees them
}
