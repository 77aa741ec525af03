import { isObject, type Json, type JsonObject } from '../../core/json.ts';
import { isGroup, notes, readProperties } from '../screen/fields-of-schema.ts';

/**
 * Simplifies the schema of a field or an object of fields: merges "allOf" and converts constants with titles to "enum" and "enumNames". Parts that
 * cannot be simplified stay, and are refused later. `named` means that texts of the schema are shown.
 */
export function simplifyField(field: JsonObject, named: boolean): JsonObject {
  const { allOf, ...rest } = field;
  const parts = Array.isArray(allOf) ? [rest, ...allOf] : [rest];
  const merged = parts
    .map((part) => plainChoices(isObject(part) ? (part as JsonObject) : {}, named))
    .reduce<JsonObject | null>((all, part) => all && mergeFields(all, part), {});
  if (!merged) return field;
  const { items } = merged;
  const plain = isObject(items) ? { ...merged, items: simplifyField(items as JsonObject, named) } : merged;
  return isGroup(plain) ? { ...plain, properties: plainProperties(plain, named) } : plain;
}

function plainProperties(group: JsonObject, named: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(readProperties(group)).map(([name, field]) => [name, simplifyField(field, named)]),
  );
}

function plainChoices(field: JsonObject, named: boolean): JsonObject {
  if (!named) return field;
  const keyword = ['oneOf', 'anyOf'].find((word) => Array.isArray(field[word]));
  if (keyword === undefined) return field;
  const { [keyword]: alternatives, ...rest } = field;
  const constants = alternatives as readonly Json[]; // an array, by the search above
  if (constants.length === 0 || !constants.every((one) => isObject(one) && Object.hasOwn(one, 'const'))) return field;
  const choices = constants as readonly JsonObject[];
  const values = choices.map((choice) => choice.const ?? null);
  const names = choices.map(({ title, const: value = null }) => title ?? String(value));
  const [type] = new Set(values.map((value) => typeof value));
  return { ...(type === undefined ? {} : { type }), ...rest, enum: values, enumNames: names };
}

const largest = new Set(['minLength', 'minItems', 'minimum', 'exclusiveMinimum']);
const smallest = new Set(['maxLength', 'maxItems', 'maximum', 'exclusiveMaximum']);

/** Returns the intersection of two schemas, or `null` if it cannot be written as one schema. */
export function mergeFields(one: JsonObject, other: JsonObject): JsonObject | null {
  const merged: Record<string, Json> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    const both = known === undefined ? value : mergedValue(keyword, known, value);
    if (both === null) return null;
    merged[keyword] = both;
  }
  return merged;
}

function mergedValue(keyword: string, one: Json, other: Json): Json | null {
  if (JSON.stringify(one) === JSON.stringify(other) || keyword === 'default' || notes.includes(keyword)) return other;
  if (typeof one === 'number' && typeof other === 'number') {
    if (largest.has(keyword)) return Math.max(one, other);
    if (smallest.has(keyword)) return Math.min(one, other);
  }
  if (keyword === 'type') return mergedType(one, other);
  if (Array.isArray(one) && Array.isArray(other)) {
    if (keyword === 'required') return [...new Set([...one, ...other])];
    if (keyword === 'enum') return one.filter((value: Json) => other.includes(value));
  }
  if (keyword === 'properties' && isObject(one) && isObject(other))
    return mergedProperties(one as JsonObject, other as JsonObject);
  return null;
}

function mergedType(one: Json, other: Json): Json | null {
  const types = [one].flat() as readonly Json[];
  const common = types.filter((type) => ([other].flat() as readonly Json[]).includes(type));
  if (common.length === 0 && [one, other].includes('integer') && [one, other].includes('number')) return 'integer';
  return common.length === 0 ? null : common.length === 1 ? (common[0] ?? null) : common;
}

function mergedProperties(one: JsonObject, other: JsonObject): JsonObject | null {
  const merged: Record<string, Json> = { ...one };
  for (const [name, field] of Object.entries(other)) {
    const known = merged[name];
    const both = isObject(known) && isObject(field) ? mergeFields(known as JsonObject, field as JsonObject) : field;
    if (both === null) return null;
    merged[name] = both;
  }
  return merged;
}
