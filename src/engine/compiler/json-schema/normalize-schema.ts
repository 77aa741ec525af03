import { isObject, mapValues, type Json, type JsonObject } from '../../core/json.ts';
import { annotationKeywords } from '../screen/schema-fields.ts';
import { intersectSchemas } from './combine-field-occurrences.ts';

/** Pattern of a token outside of classes: an escape, a quantifier with braces, a class, or a character. */
const tokenPattern = /\\[pPu]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\[(?:\\.|[^\]\\])*\]|[^]/gsu;

const classMemberPattern = /\\[pPu]\{[^}]*\}|\\.|[^]/gsu;

/** Rewrites a pattern that is only valid without the flag `u`: needless escapes, literal braces, hyphens beside `\d` (ECMA-262, Annex B.1.2). */
export function toUnicodePattern(pattern: string): string {
  if (isExpression(pattern, 'u') || !isExpression(pattern) || posixClass.test(pattern)) return pattern;
  const mended = [...pattern.matchAll(tokenPattern)].map(([part]) => normalizeToken(part)).join('');
  return isExpression(mended, 'u') ? mended : pattern;
}

/** A POSIX class, which JavaScript reads as a class of the letters in its name. */
const posixClass = /\[:[a-z]+:\]/;

export function findInvalidPatternEscape(pattern: string): string | undefined {
  const [posix] = posixClass.exec(pattern) ?? [];
  if (posix !== undefined) return posix;
  const escapes = [...pattern.matchAll(classMemberPattern)].map(([part]) => part);
  return escapes.find((part) => /^\\[a-zA-Z]$/.test(part) && !isExpression(part, 'u') && isExpression(part));
}

function normalizeToken(part: string): string {
  if (part.length === 1) return '{}]'.includes(part) ? `\\${part}` : part;
  return part.startsWith('[') ? `[${normalizeClass(part.slice(1, -1))}]` : withoutNeedlessEscape(part, part);
}

function normalizeClass(members: string): string {
  const parts = [...members.matchAll(classMemberPattern)].map(([part]) => part);
  const isSet = (part: string | undefined) => part !== undefined && /^\\[dDsSwWpP]/.test(part);
  return parts
    .map((part, index) => {
      const isBetween = index > 0 && index < parts.length - 1;
      if (part === '-' && isBetween && (isSet(parts[index - 1]) || isSet(parts[index + 1]))) return '\\-';
      return withoutNeedlessEscape(part, `[${part}]`);
    })
    .join('');
}

function withoutNeedlessEscape(part: string, place: string): string {
  return /^\\[^a-zA-Z0-9]$/u.test(part) && !isExpression(place, 'u') ? part.slice(1) : part;
}

function isExpression(pattern: string, flags = ''): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}

const numberFormats: Readonly<
  Record<string, { readonly whole: boolean; readonly limits?: readonly [number, number] }>
> = {
  int8: { whole: true, limits: [-(2 ** 7), 2 ** 7 - 1] },
  int16: { whole: true, limits: [-(2 ** 15), 2 ** 15 - 1] },
  int32: { whole: true, limits: [-(2 ** 31), 2 ** 31 - 1] },
  int64: { whole: true },
  uint8: { whole: true, limits: [0, 2 ** 8 - 1] },
  uint16: { whole: true, limits: [0, 2 ** 16 - 1] },
  uint32: { whole: true, limits: [0, 2 ** 32 - 1] },
  uint64: { whole: true, limits: [0, Number.MAX_SAFE_INTEGER] },
  float: { whole: false },
  double: { whole: false },
};

export const numberFormatNames: readonly string[] = Object.keys(numberFormats);

/** Normalizes equivalent notations of JSON Schema and OpenAPI, such as nullable types and number formats. Removes "x-" keywords. */
export function normalizeSchema(schema: JsonObject): JsonObject {
  const own = normalizeChildren(withoutExtensions(schema), true);
  const isOfFields = ['properties', 'allOf', 'oneOf', 'anyOf', 'if'].some((keyword) => own[keyword] !== undefined);
  return own.type === undefined && isOfFields ? { type: 'object', ...own } : own;
}

/** Adds the type that the choices of a field imply, and replaces its number format by limits. Also applies to the fields inside it. */
export function normalizeFieldTypes(field: JsonObject): JsonObject {
  const type = field.type ?? inferChoiceType(field);
  const own = withNumberFormat(type === undefined ? field : { type, ...field });
  const { properties, items } = own;
  return {
    ...own,
    ...(isObject(properties) && { properties: mapProperties(own.properties, normalizeFieldTypes) }),
    ...(isObject(items) && { items: normalizeFieldTypes(items) }),
  };
}

// Normalizes a schema. `isWhole` means a complete field. Otherwise the schema is a subschema that only adds keywords.
function normalizeNode(node: JsonObject, isWhole: boolean): JsonObject {
  const plain = withoutNull(withoutExtensions(node));
  const rewritten = withReadOnlyParts(withNumberFormat(withLimits(plain)));
  const { type, properties, items, prefixItems } = rewritten;
  const structure = isObject(properties)
    ? 'object'
    : items !== undefined || prefixItems !== undefined
      ? 'array'
      : undefined;
  const isTyped = type !== undefined || !isWhole || structure === undefined;
  return normalizeChildren(isTyped ? rewritten : { type: structure, ...rewritten }, isWhole);
}

function normalizeChildren(node: JsonObject, isWhole: boolean): JsonObject {
  const inner = Object.entries(node).map(([keyword, value]): readonly [string, Json] => {
    if (keyword === 'pattern' && typeof value === 'string') return [keyword, toUnicodePattern(value)];
    if (keyword === 'properties') return [keyword, mapProperties(value, (field) => normalizeNode(field, isWhole))];
    if (keyword === 'items' || keyword === 'prefixItems')
      return [keyword, mapSchemas(value, (item) => normalizeNode(item, isWhole))];
    if (keyword === 'allOf') return [keyword, mapSchemas(value, (part) => normalizeNode(part, isWhole))];
    if (['then', 'else', 'oneOf', 'anyOf'].includes(keyword))
      return [keyword, mapSchemas(value, (part) => normalizeNode(part, false))];
    if (['dependentSchemas', 'dependencies'].includes(keyword))
      return [keyword, mapProperties(value, (part) => normalizeNode(part, false))];
    return [keyword, value];
  });
  return Object.fromEntries(inner);
}

function mapSchemas(value: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(value)) return value.map((one: Json) => mapSchemas(one, change));
  return isObject(value) ? change(value) : value;
}

function mapProperties(value: Json | undefined, change: (schema: JsonObject) => JsonObject): Json {
  if (!isObject(value)) return value ?? null;
  return mapValues(value, (one) => mapSchemas(one, change));
}

// Removes extensions, which begin with "x-" (OpenAPI 3.1, section 4.9).
function withoutExtensions(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !keyword.startsWith('x-')));
}

// Removes null from types, defaults and choices. Empty values are not sent, so a value is never null.
function withoutNull({ nullable: _, ...node }: JsonObject): JsonObject {
  const { default: given, ...rest } = node;
  const field = withoutNullAlternative(given === null ? rest : node);
  const types = [...new Set([field.type ?? []].flat())] as readonly Json[];
  const others = types.filter((type) => type !== 'null');
  const narrow = others.includes('number') ? others.filter((type) => type !== 'integer') : others;
  const type = narrow.length > 1 ? narrow : (narrow[0] ?? types[0]);
  const choices = field.enum;
  if (Array.isArray(choices) && choices.length > 0 && choices.every((choice) => choice === null)) {
    const { enum: _, ...others } = field;
    return { ...others, type: 'null' };
  }
  return {
    ...field,
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(choices) && choices.includes(null) ? withoutNullChoice(field, choices) : {}),
  };
}

function withoutNullChoice({ enumNames: names }: JsonObject, choices: readonly Json[]): JsonObject {
  const isValue = (_: Json, index: number) => choices[index] !== null;
  const values = choices.filter(isValue);
  return { enum: values, ...(Array.isArray(names) ? { enumNames: names.filter(isValue) } : {}) };
}

function withoutNullAlternative(field: JsonObject): JsonObject {
  const keyword = ['oneOf', 'anyOf'].find((word) => Array.isArray(field[word]));
  if (keyword === undefined) return field;
  const { [keyword]: given, ...rest } = field;
  const alternatives = given as readonly Json[]; // cast: the search above only returns arrays
  const others = alternatives.filter((one) => !isNull(one));
  if (others.length === 0 || others.length === alternatives.length) return field;
  const [only] = others;
  const merged = others.length === 1 && isObject(only) ? intersectSchemas(only, rest) : null;
  return merged ? withoutNullAlternative(merged) : { ...rest, [keyword]: others };
}

function isNull(alternative: Json): boolean {
  if (!isObject(alternative)) return false;
  const { type, const: only } = alternative;
  const words = Object.keys(alternative).filter((word) => !annotationKeywords.includes(word));
  return (
    words.length > 0 &&
    words.every((word) => ['type', 'const', 'enum'].includes(word)) &&
    (type === 'null' || only === null)
  );
}

// Moves `readOnly` of an object to its fields. Copies `readOnly` of a list to its items.
function withReadOnlyParts({ readOnly, ...field }: JsonObject): JsonObject {
  if (readOnly === undefined) return field;
  const { properties, items } = field;
  const moveReadOnly = (part: JsonObject): JsonObject => ({ readOnly, ...part });
  if (isObject(properties)) return { ...field, properties: mapProperties(field.properties, moveReadOnly) };
  return {
    ...field,
    readOnly,
    ...(isObject(items) && !Array.isArray(items.enum) && { items: moveReadOnly(items) }),
  };
}

// Converts boolean exclusive limits to numbers. In JSON Schema draft 4 and OpenAPI 3.0, these booleans qualify "minimum" and "maximum".
function withLimits(field: JsonObject): JsonObject {
  const pairs = [['exclusiveMinimum', 'minimum'] as const, ['exclusiveMaximum', 'maximum'] as const];
  return pairs.reduce<JsonObject>((all, [keyword, limit]) => {
    const { [keyword]: isExclusive, [limit]: value, ...rest } = all;
    if (typeof isExclusive !== 'boolean' || typeof value !== 'number') return all;
    return { ...rest, [isExclusive ? keyword : limit]: value };
  }, field);
}

function withNumberFormat(field: JsonObject): JsonObject {
  const { format, type } = field;
  const found = typeof format === 'string' && Object.hasOwn(numberFormats, format) ? numberFormats[format] : undefined;
  if (!found || (type !== 'number' && type !== 'integer')) return field;
  const { format: _, ...rest } = field;
  const [least, most] = found.limits ?? [];
  const above = [field.minimum, field.exclusiveMinimum].some(
    (own) => typeof own === 'number' && own >= (least ?? -Infinity),
  );
  const below = [field.maximum, field.exclusiveMaximum].some(
    (own) => typeof own === 'number' && own <= (most ?? Infinity),
  );
  return {
    ...rest,
    ...(found.whole ? { type: 'integer' } : {}),
    ...(least === undefined || above ? {} : { minimum: least }),
    ...(most === undefined || below ? {} : { maximum: most }),
  };
}

function inferChoiceType(field: JsonObject): string | undefined {
  const choices: readonly Json[] =
    field.const !== undefined ? [field.const] : Array.isArray(field.enum) ? field.enum : [];
  const types = [...new Set(choices.map((choice) => (Number.isInteger(choice) ? 'integer' : typeof choice)))];
  if (types.length === 2 && types.includes('integer') && types.includes('number')) return 'number';
  return types.length === 1 && types[0] !== 'object' ? types[0] : undefined;
}
