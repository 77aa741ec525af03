import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../core/json.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

/** Recognizes the keywords of JSON Schema. */
export const standard = new Ajv2020({ strict: false });
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];

/** Returns a mistake in the JSON Schema of a rule's parameters, or `null`. A mistake there would let mistakes of analysts pass. */
export function parameterMistake(schema: JsonObject): Localized | null {
  for (const part of objectsIn(schema)) {
    const { type, properties, required, additionalProperties } = part;
    const strange = [type ?? []].flat().find((one) => !types.includes(String(one)));
    if (strange !== undefined)
      return say`its parameters have the type "${String(strange)}", which JSON Schema does not know`;
    if (!isObject(properties)) continue;
    const names = Object.keys(properties);
    const lost = Array.isArray(required) ? required.find((name) => !names.includes(String(name))) : undefined;
    if (lost !== undefined) return say`its parameters require "${String(lost)}", which "properties" does not describe`;
    if (additionalProperties === undefined || additionalProperties === true)
      return say`its parameters take whatever is written: add "additionalProperties": false beside "properties", so that a misspelt one is named`;
  }
  try {
    standard.compile(schema);
    return null;
  } catch (error) {
    return say`its parameters are no JSON Schema (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Returns a minimal valid value of a parameter schema. */
export function leastOf(schema: JsonObject): Json {
  const { const: fixed, anyOf, type, required = [], properties = {}, items, minimum = 1 } = schema;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(anyOf)) return leastOf(anyOf[0] as JsonObject); // parameterMistake checked the schema
  if (type === 'object')
    return Object.fromEntries(
      (required as string[]).map((name) => [name, leastOf((properties as Record<string, JsonObject>)[name] ?? {})]),
    );
  if (type === 'array') return [leastOf(isObject(items) ? (items as JsonObject) : {})];
  return type === 'string' ? 'otro' : minimum;
}

function objectsIn(schema: unknown): readonly JsonObject[] {
  if (Array.isArray(schema)) return schema.flatMap(objectsIn);
  if (!isObject(schema)) return [];
  const { properties, ...more } = schema as JsonObject;
  const inner = isObject(properties) ? Object.values(properties) : [];
  return [schema as JsonObject, ...[...inner, ...Object.values(more)].flatMap(objectsIn)];
}
