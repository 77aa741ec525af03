import { isObject, type Json, type JsonObject } from '../../engine/core/json.ts';
import lifelike from './lifelike.json' with { type: 'json' };

const values: Readonly<Record<string, string | number>> = lifelike;

/**
 * Creates a sample response for a JSON Schema of the contract: all properties, first alternatives, realistic values. `name`: of the property.
 * `within`: name of the object that contains it.
 */
export function sampleOf(schema: JsonObject, name = '', within = ''): Json {
  const { const: only, enum: choices, anyOf, oneOf, allOf, properties, items } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0] ?? null;
  const own = (part: unknown): Json => (isObject(part) ? sampleOf(part as JsonObject, name, within) : null); // a schema is JSON
  const [first] = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (isObject(first)) return own(first);
  if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map(own).filter((part) => isObject(part))) as JsonObject;
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object' || isObject(properties))
    return Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([key, part]) => [
        key,
        isObject(part) ? sampleOf(part as JsonObject, key, name) : null,
      ]),
    );
  if (type === 'array') return isObject(items) ? [own(items)] : [];
  if (type === 'boolean') return true;
  const value = values[`${within}.${name}`] ?? values[name];
  if (type === 'integer' || type === 'number') return typeof value === 'number' ? value : 1;
  return type === 'string' ? String(value ?? name) : null;
}
