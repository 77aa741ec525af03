import { isObject, type Json, type JsonObject } from '../../core/json.ts';

/** Keywords of a field that ajv checks, and the types that each speaks of. */
export const valueKinds = {
  type: 'any',
  enum: 'any',
  const: 'any',
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  format: 'any',
  minimum: ['number', 'integer'],
  maximum: ['number', 'integer'],
  exclusiveMinimum: ['number', 'integer'],
  exclusiveMaximum: ['number', 'integer'],
  multipleOf: ['number', 'integer'],
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
} as const satisfies Readonly<Record<string, 'any' | readonly string[]>>;

/** Notes for who reads the file: nothing draws or checks them. */
export const notes = ['$comment', 'title', 'description', 'deprecated'];

/** The fields of a schema by name; anything that is no object counts as an empty schema. */
export function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  const { properties } = schema;
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, isObject(field) ? (field as JsonObject) : {}]),
  );
}

/** The names in `required`. */
export function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
}

/** A schema without what nobody checks: definitions that were taken in, and notes. */
export function withoutNotes(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => keyword !== '$defs' && !notes.includes(keyword)),
  );
}

/** Whether ajv checks a keyword of a field. */
export function isValueKeyword(keyword: string): keyword is keyof typeof valueKinds {
  return Object.hasOwn(valueKinds, keyword);
}

/** The part of a field's schema that ajv compiles. */
export function standardPart(field: JsonObject): Record<string, Json> {
  return Object.fromEntries(Object.entries(field).filter(([keyword]) => isValueKeyword(keyword)));
}
