import { isObject, type Json, type JsonObject } from '../../core/json.ts';

/** What a JSON Schema says of the values at one place. */
export interface Shape {
  /** Absent: anything. */
  readonly schema?: JsonObject;
  /** It may lack, or be null. */
  readonly optional: boolean;
  /** A text that is never empty: the `id` of something. */
  readonly filled?: true;
}

/** Anything at all. */
export const anything: Shape = { optional: true };

/** The shape of a part of a value (of one that `isThere`), by its name or its number; null: a value of this shape has no such part. */
export function findPart({ schema, optional }: Shape, step: string, isThere = false): Shape | null {
  if (!schema) return anything;
  const parts = objectsOf(schema).map((own) => ofObject(own, step));
  const [part] = parts.filter((found) => found !== null);
  if (!part) return parts.length > 0 || isScalar(schema) ? null : anything;
  return { ...part, optional: part.optional || (!isThere && (optional || isNullable(schema))) };
}

/** The shape behind a dotted path; null: there is nothing there. */
export function shapeAt(shape: Shape, path: readonly string[]): Shape | null {
  return path.reduce<Shape | null>((found, step) => found && findPart(found, step), shape);
}

/** The names of what an object of this shape may hold; null: any. */
export function namesOf({ schema }: Shape): readonly string[] | null {
  const [object] = schema ? objectsOf(schema) : [];
  if (!object || object['additionalProperties'] === true || !isObject(object['properties'])) return null;
  return Object.keys(object['properties']);
}

/** The names that an object of this shape must hold. */
export function requiredOf({ schema }: Shape): readonly string[] {
  const [object] = schema ? objectsOf(schema) : [];
  return Array.isArray(object?.['required']) ? (object['required'] as readonly string[]) : []; // JSON Schema lists names there
}

/** The only values that there may be; null: there are others. */
export function listChoices({ schema, optional }: Shape): readonly Json[] | null {
  if (!schema) return null;
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : schema['type'] === 'boolean' ? [true, false] : null;
  return choices && [...(choices as readonly Json[]), ...(optional ? [null] : [])];
}

/** Whether such a value is always there and always true: an object that may not lack, or an id. */
export function isAlwaysTrue({ schema, optional, filled }: Shape): boolean {
  return !optional && (schema?.['type'] === 'object' || filled === true);
}

function ofObject(schema: JsonObject, step: string): Shape | null {
  if (schema['type'] === 'array' || isObject(schema['items'])) {
    const items = schema['items'];
    return /^\d+$/.test(step) ? { optional: true, ...(isObject(items) ? { schema: items as JsonObject } : {}) } : null;
  }
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const own = properties[step];
  if (Object.hasOwn(properties, step) && isObject(own)) {
    const required = Array.isArray(schema['required']) && schema['required'].includes(step);
    const filled = step === 'id' && own['type'] === 'string';
    return {
      schema: own as JsonObject,
      optional: !required || isNullable(own as JsonObject),
      ...(filled ? { filled } : {}),
    };
  }
  const more = schema['additionalProperties'];
  if (more === false) return null;
  return isObject(more) ? { schema: more as JsonObject, optional: true } : anything;
}

/** The objects and lists that a schema admits. */
function objectsOf(schema: JsonObject): readonly JsonObject[] {
  const alternatives = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list) ? list : [];
  });
  if (alternatives.length > 0) return alternatives.filter(isObject).flatMap((one) => objectsOf(one as JsonObject));
  return ['object', 'array'].some((type) => [schema['type']].flat().includes(type)) ? [schema] : [];
}

function isScalar(schema: JsonObject): boolean {
  return schema['type'] !== undefined || schema['enum'] !== undefined || schema['anyOf'] !== undefined;
}

function isNullable(schema: JsonObject): boolean {
  if ([schema['type']].flat().includes('null')) return true;
  return ['anyOf', 'oneOf'].some((key) => {
    const list = schema[key];
    return Array.isArray(list) && list.some((one) => isObject(one) && isNullable(one as JsonObject));
  });
}

/** What a flow may read of an operation that failed. */
export const errorShape: Shape = {
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
