import { isObject, type Json, type JsonObject } from '../../engine/core/json.ts';

/** An answer as a JSON Schema of the contract allows it: every property, the first of what can be chosen, something of each kind. */
export function sampleOf(schema: JsonObject): Json {
  const { const: only, enum: choices, anyOf, oneOf, allOf, properties, items } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0] ?? null;
  const [first] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (isObject(first)) return sampleOf(first as JsonObject); // a schema is JSON
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part) => (isObject(part) ? sampleOf(part as JsonObject) : null));
    return Object.assign({}, ...parts.filter((part) => isObject(part))) as JsonObject;
  }
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object' || isObject(properties))
    return Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([name, own]) => [
        name,
        isObject(own) ? sampleOf(own as JsonObject) : null,
      ]),
    );
  if (type === 'array') return isObject(items) ? [sampleOf(items as JsonObject)] : [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return 1;
  return type === 'string' ? 'texto' : null;
}
