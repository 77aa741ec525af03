import type { JsonLogicOperatorFunction } from '../../core/plugin-rule.ts';
import { localize, type LocalizedText } from '../sources/localized-text.ts';
import { standardAjv } from '../sources/standard-ajv.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../core/json.ts';

const jsonSchemaTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Returns a mistake in the JSON Schema of a rule's parameters or a widget's options, which would accept wrong ones. Returns `null` if there is none. */
export function findParameterSchemaMistake(schema: JsonObject): LocalizedText | null {
  for (const part of listObjects(schema)) {
    const { type, properties, required, additionalProperties } = part;
    const strange = [type ?? []].flat().find((one) => !jsonSchemaTypes.includes(String(one)));
    if (strange !== undefined)
      return localize`its schema has the type "${String(strange)}", which JSON Schema does not know`;
    if (!isObject(properties)) continue;
    const names = Object.keys(properties);
    const lost = Array.isArray(required) ? required.find((name) => !names.includes(String(name))) : undefined;
    if (lost !== undefined)
      return localize`its schema requires "${String(lost)}", which "properties" does not describe`;
    if (additionalProperties === undefined || additionalProperties === true)
      return localize`its schema accepts any name: add "additionalProperties": false beside "properties", so that misspelt names are reported`;
  }
  try {
    standardAjv.compile(schema);
    return null;
  } catch (error) {
    return localize`its schema is not a valid JSON Schema (${error instanceof Error ? error.message : String(error)})`;
  }
}

export function buildMinimalValidValue(schema: JsonObject): Json {
  const { const: fixed, anyOf, type, required = [], properties = {}, items, minimum = 1 } = schema;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(anyOf)) return buildMinimalValidValue(anyOf[0]); // `anyOf[0]` is a schema, because `findParameterSchemaMistake` has validated `anyOf`
  if (type === 'object') {
    const known = properties as Record<string, JsonObject>;
    return Object.fromEntries((required as string[]).map((name) => [name, buildMinimalValidValue(known[name] ?? {})]));
  }
  if (type === 'array') return [buildMinimalValidValue(asObject(items))];
  return type === 'string' ? 'otro' : minimum;
}

function listObjects(schema: unknown): readonly JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(listObjects);
  if (!isObject(schema)) return [];
  const { properties, ...more } = schema;
  const inner = isObject(properties) ? Object.values(properties) : [];
  return [schema as JsonObject, ...[...inner, ...Object.values(more)].flatMap(listObjects)];
}

/** Two rows of operands, because a single correct result may be a coincidence. */
const numberRows = [
  [4, 7, 20],
  [9, 30, 5],
] as const;
/** Which operands to pass as texts, per call. Text fields, URLs and responses may contain numbers as texts. */
const textOperands = [
  [true, false, false],
  [false, true, false],
  [false, false, true],
  [true, true, true],
];

/** Reports an operator that adds numbers but concatenates texts of digits: `1 + 2` is 3, but `'1' + 2` is "12". Returns `null` if it does not. */
export function detectDigitConcatenation(run: JsonLogicOperatorFunction): LocalizedText | null {
  for (const isText of textOperands) {
    const tried = numberRows.map((row) => {
      const stringArguments = row.map((number, at) => (isText[at] === true ? String(number) : number));
      return { given: stringArguments, sum: run(...row), joined: run(...stringArguments) };
    });
    const [first] = tried;
    if (first && tried.every(({ sum, joined }) => typeof sum === 'number' && isJoined(joined, sum)))
      return localize`it returns the sum of ${numberRows[0].join(', ')} as ${String(first.sum)}, but returns ${JSON.stringify(first.joined)} for ${JSON.stringify(first.given)}: convert its inputs with Number(…)`;
  }
  return null;
}

/** Whether a text of digits can be split into numbers with this sum. */
function isJoined(joined: unknown, sum: number): boolean {
  if (typeof joined !== 'string' || !/^\d{2,}$/.test(joined)) return false;
  return [...joined.slice(1)].some((_, at) => {
    const [first, rest] = [joined.slice(0, at + 1), joined.slice(at + 1)];
    return Number(first) + Number(rest) === sum || isJoined(rest, sum - Number(first));
  });
}

/** Generators of adversarial texts of about `length` characters: repetitive, nearly valid, or longer after normalization. */
export const adversarialTextGenerators: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  'one letter and a sign': (length) => `${'a'.repeat(length - 1)}!`,
  'one capital and a sign': (length) => `${'A'.repeat(length - 1)}!`,
  'two letters by turns': (length) => 'ab'.repeat(length / 2),
  'letters without a period': (length) =>
    Array.from({ length }, (_, index) => 'abcdefgh'[(index * index + (index >> 3)) % 8]).join(''),
  'digits and a letter': (length) => `${'1'.repeat(length - 1)}x`,
  'a letter, digits and a letter': (length) => `a${'1'.repeat(length - 2)}a`,
  blanks: (length) => ' '.repeat(length),
  'blanks and a sign': (length) => `${' '.repeat(length - 1)}!`,
  'words of one letter': (length) => 'a '.repeat(length / 2),
  'a phone number without end': (length) => `+1${' 1'.repeat(length / 2 - 2)}x`,
  'an address without end': (length) => `a@${'a.'.repeat(length / 2 - 2)}!`,
  'a local part without end': (length) => `${'a.'.repeat(length / 2)}@`,
  'a file without end': (length) => `data:a/b;name=a;base64,${'A'.repeat(length)}!`,
  'a date of hyphens': (length) => '-'.repeat(length),
  apostrophes: (length) => "'".repeat(length),
  'letters with accents apart': (length) => 'a\u0301'.repeat(length / 2),
  'marks alone': (length) => '\u0301\u0323'.repeat(length / 2),
  'one sign that becomes eighteen': (length) => '\ufdfa'.repeat(length),
  'syllables that become three': (length) => '\uac01'.repeat(length),
  'signs beyond the first plane': (length) => '\u{1f9a4}'.repeat(length / 2),
};

/** Returns the source of nondeterminism that `work` uses: the clock, random numbers or a stateful pattern. Returns `null` if it uses none. */
export function detectNondeterminism(work: () => unknown): string | null {
  const { Date: clock } = globalThis;
  const { random } = Math;
  const { test } = RegExp.prototype;
  let forbiddenCall: string | null = null;
  const now = () => {
    forbiddenCall = 'Date';
    return clock.now();
  };
  globalThis.Date = class extends clock {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number])); // cast: TypeScript cannot spread arguments into the overloads of `Date`
    }
    static override now = now;
  } as DateConstructor; // cast: the class cannot be called without `new`, and a rule that does so is faulty anyway
  Math.random = () => {
    forbiddenCall = 'Math.random';
    return random();
  };
  RegExp.prototype.test = function (text) {
    if (this.global || this.sticky) forbiddenCall = 'RegExp';
    return test.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.test = test;
    globalThis.Date = clock;
    Math.random = random;
  }
  return forbiddenCall;
}
