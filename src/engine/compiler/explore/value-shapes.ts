import { asObject, isObject, mapValues, type Json, type JsonObject } from '../../core/json.ts';

export interface ValueShape {
  readonly schema?: JsonObject;
  readonly optional: boolean;
  /** Whether the value is a text that is never empty, such as an `id`. */
  readonly nonEmpty?: true;
}

export const unknownValueShape: ValueShape = { optional: true };

export function createFactShapes(
  schemas: Readonly<Record<string, JsonObject>> = {},
): Readonly<Record<string, ValueShape>> {
  return mapValues(schemas, (schema) => ({ schema, optional: true }));
}

/** Returns the shape of a property or item. Returns `null` if the schema excludes it. `isThere` means that the parent value exists. */
export function resolveChildShape({ schema, optional }: ValueShape, step: string, isThere = false): ValueShape | null {
  if (!schema) return unknownValueShape;
  const parts = listObjectSchemas(schema).map((own) => findChildShape(own, step));
  const [part] = parts.filter((found) => found !== null);
  if (!part) return parts.length > 0 || isScalar(schema) ? null : unknownValueShape;
  return { ...part, optional: part.optional || (!isThere && (optional || isNullable(schema))) };
}

export function findShapeAtPath(shape: ValueShape, path: readonly string[]): ValueShape | null {
  return path.reduce<ValueShape | null>((found, step) => found && resolveChildShape(found, step), shape);
}

export function listShapeProperties({ schema }: ValueShape): readonly string[] | null {
  const [object] = schema ? listObjectSchemas(schema) : [];
  if (!object || object['additionalProperties'] === true || !isObject(object['properties'])) return null;
  return Object.keys(object['properties']);
}

export function listRequiredShapeProperties({ schema }: ValueShape): readonly string[] {
  const [object] = schema ? listObjectSchemas(schema) : [];
  return Array.isArray(object?.['required']) ? (object['required'] as readonly string[]) : []; // cast: in JSON Schema, "required" is a list of names
}

export function listPossibleValuesOfShape({ schema, optional }: ValueShape): readonly Json[] | null {
  if (!schema) return null;
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : schema['type'] === 'boolean' ? [true, false] : null;
  return choices && [...(choices as readonly Json[]), ...(optional ? [null] : [])];
}

export function isAlwaysTruthy({ schema, optional, nonEmpty }: ValueShape): boolean {
  return !optional && (schema?.['type'] === 'object' || nonEmpty === true);
}

function findChildShape(schema: JsonObject, step: string): ValueShape | null {
  if (schema['type'] === 'array' || isObject(schema['items'])) {
    const items = schema['items'];
    return /^\d+$/.test(step) ? { optional: true, ...(isObject(items) ? { schema: items } : {}) } : null;
  }
  const properties = asObject(schema['properties']);
  const own = properties[step];
  if (Object.hasOwn(properties, step) && isObject(own)) {
    const required = Array.isArray(schema['required']) && schema['required'].includes(step);
    const nonEmpty = step === 'id' && own['type'] === 'string';
    return {
      schema: own,
      optional: !required || isNullable(own),
      ...(nonEmpty ? { nonEmpty } : {}),
    };
  }
  const more = schema['additionalProperties'];
  if (more === false) return null;
  return isObject(more) ? { schema: more, optional: true } : unknownValueShape;
}

function listObjectSchemas(schema: JsonObject): readonly JsonObject[] {
  const alternatives = listAlternatives(schema, ['anyOf', 'oneOf', 'allOf']);
  if (alternatives.length > 0) return alternatives.flatMap(listObjectSchemas);
  return ['object', 'array'].some((type) => [schema['type']].flat().includes(type)) ? [schema] : [];
}

function listAlternatives(schema: JsonObject, keywords: readonly string[]): readonly JsonObject[] {
  return keywords.flatMap((key) => [schema[key] ?? []].flat()).filter(isObject) as readonly JsonObject[]; // cast: parts of a JSON Schema are JSON
}

function isScalar(schema: JsonObject): boolean {
  return schema['type'] !== undefined || schema['enum'] !== undefined || schema['anyOf'] !== undefined;
}

function isNullable(schema: JsonObject): boolean {
  return [schema['type']].flat().includes('null') || listAlternatives(schema, ['anyOf', 'oneOf']).some(isNullable);
}

export const operationErrorShape: ValueShape = {
  optional: false,
  schema: {
    type: 'object',
    required: ['status', 'error', 'errors', 'outdated'],
    properties: {
      status: { type: 'integer' },
      error: { type: 'string' },
      code: { type: 'string' },
      field: { type: 'string' },
      next: { type: 'string' },
      errors: { type: 'object', additionalProperties: { type: 'string' } },
      outdated: { type: 'boolean' },
    },
    additionalProperties: false,
  },
};
