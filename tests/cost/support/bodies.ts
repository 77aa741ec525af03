import { isObject, type JsonObject } from '../../../src/engine/core/json.ts';
import { adversarialTextGenerators } from '../../../src/engine/compiler/files/plugin-export-checks.ts';

/** A kind of body that is costly to validate. `ofBytes` creates a body of at most this size. */
export interface HardBody {
  readonly kind: string;
  readonly ofBytes: (bytes: number) => string;
}

/** Schemas of the fields of a body, by name. */
export type BodyFields = Readonly<Record<string, JsonObject>>;

/** Other properties of the body (`rest`), and the name of the object that contains the fields (`within`). */
interface BodyContext {
  readonly rest?: JsonObject;
  readonly within?: string;
}

/** Number of bytes for names and punctuation around a value. */
const margin = 160;
/** Maximum numbers of parts that the parser accepts: names with values in an object, or values in an array. */
const parts = { names: 4_900, values: 9_900 };

/**
 * Lists bodies that are costly to validate: fields that are long, at their limit, above it, wide, deep or of another
 * type, and bodies with many names.
 */
export function listHardBodies(fields: BodyFields, { rest = {}, within }: BodyContext = {}): readonly HardBody[] {
  const names = Object.keys(fields);
  // Equivalent fields are tested once: for texts, those with equal schemas. For values of another type, those with
  // equal keywords.
  const [texts, values] = [listOneOfEachKind(fields, JSON.stringify), listOneOfEachKind(fields, formatKeywords)];
  const json = (form: object) => JSON.stringify({ ...rest, ...(within === undefined ? form : { [within]: form }) });
  const each = (value: (field: JsonObject) => unknown) =>
    json(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, value(field)])));
  const shareOf = (bytes: number) => Math.max(8, (bytes - margin) / Math.max(1, names.length) - 48);
  const raw = (value: string) => json({ a: null }).replace('null', () => value);
  return [
    ...Object.entries(adversarialTextGenerators).flatMap(([kind, make]): HardBody[] => [
      {
        kind: `every field: ${kind}`,
        ofBytes: (bytes) => findFittingText(bytes, shareOf(bytes), (size) => each(() => make(size))),
      },
      {
        kind: `every field at its limit: ${kind}`,
        ofBytes: (bytes) =>
          findFittingText(bytes, shareOf(bytes), (size) => each((field) => createValueAtLimit(field, make, size))),
      },
      ...texts
        .filter((name) => kind === 'one letter' || isUnlimitedText(fields[name]))
        .map((name) => ({
          kind: `${name}: ${kind}`,
          ofBytes: (bytes: number) => findFittingText(bytes, bytes - margin, (size) => json({ [name]: make(size) })),
        })),
    ]),
    ...values.flatMap((name): HardBody[] => [
      { kind: `${name}: a wide array`, ofBytes: (bytes) => json({ [name]: zeros((bytes - margin) / 2) }) },
      {
        kind: `${name}: an array that is parsed`,
        ofBytes: (bytes) => json({ [name]: zeros(Math.min(parts.values, (bytes - margin) / 2)) }),
      },
      {
        kind: `${name}: many names`,
        ofBytes: (bytes) => json({ [name]: createManyNames(Math.min(parts.names, (bytes - margin) / 12)) }),
      },
    ]),
    { kind: 'many names', ofBytes: (bytes) => json(createManyNames((bytes - margin) / 12)) },
    {
      kind: 'as many names as are parsed',
      ofBytes: (bytes) => json(createManyNames(Math.min(parts.names, (bytes - margin) / 12))),
    },
    { kind: 'empty objects', ofBytes: (bytes) => raw(`[${'{},'.repeat((bytes - margin) / 3)}0]`) },
    {
      kind: 'the names of the prototype',
      ofBytes: (bytes) =>
        raw(`{"constructor":1,"a":[${'0,'.repeat(Math.min(parts.values - 9, (bytes - margin) / 2))}0]}`),
    },
    { kind: 'deep', ofBytes: (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}` },
    { kind: 'arrays in arrays', ofBytes: (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2) },
    {
      kind: 'as deep as is parsed',
      ofBytes: (bytes) =>
        raw(`[${`${'['.repeat(12)}${']'.repeat(12)},`.repeat(Math.min(750, (bytes - margin) / 25))}0]`),
    },
    { kind: 'escapes', ofBytes: (bytes) => raw(`"${'\\u0041'.repeat((bytes - margin) / 6)}"`) },
    { kind: 'quotation marks', ofBytes: (bytes) => json({ a: '"'.repeat((bytes - margin) / 2) }) },
    { kind: 'no JSON', ofBytes: (bytes) => '{"a":"'.repeat(bytes / 6) },
  ];
}

/** Returns the first field of each kind. */
function listOneOfEachKind(fields: BodyFields, kindOf: (field: JsonObject) => string): readonly string[] {
  const names = new Map<string, string>();
  for (const [name, field] of Object.entries(fields)) if (!names.has(kindOf(field))) names.set(kindOf(field), name);
  return [...names.values()];
}

function formatKeywords(field: JsonObject): string {
  return `${JSON.stringify(field.type)} ${Object.keys(field).sort().join(' ')}`;
}

function isUnlimitedText({ type, maxLength, enum: choices }: JsonObject = {}): boolean {
  return (type === undefined || type === 'string') && maxLength === undefined && choices === undefined;
}

function zeros(length: number): readonly number[] {
  return Array.from({ length: Math.floor(length) }, () => 0);
}

/** Returns the longest text that fits into `bytes`. A character takes one to four bytes, or six if it is escaped. */
function findFittingText(bytes: number, length: number, make: (length: number) => string): string {
  let size = length;
  let text = make(Math.floor(size));
  while (Buffer.byteLength(text) > bytes && size > 8) {
    size *= Math.min(0.9, bytes / Buffer.byteLength(text));
    text = make(Math.floor(size));
  }
  return text;
}

function createValueAtLimit(
  { type, maxLength, enum: choices, items, properties }: JsonObject,
  make: (length: number) => string,
  room: number,
): unknown {
  if (Array.isArray(choices)) return choices[0];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'array')
    return Array.from({ length: 100 }, () =>
      isObject(items) ? createValueAtLimit(items as JsonObject, make, room / 200) : 'x',
    );
  if (isObject(properties))
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [
        name,
        createValueAtLimit(inner as JsonObject, make, room / 8),
      ]),
    );
  return make(Math.floor(typeof maxLength === 'number' ? Math.min(maxLength, room) : room));
}

function createManyNames(count: number): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: Math.floor(count) }, (_, index) => [`n${index.toString(36).padStart(5, '0')}`, 0]),
  );
}
