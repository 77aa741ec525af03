export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Values of a form by property name. `undefined` and a missing property mean the same. */
export type Values = Readonly<Record<string, unknown>>;

/** Whether `value` is an object, but neither `null` nor an array. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an empty object for every other value. */
export function asObject(value: Json | undefined): JsonObject;
export function asObject(value: unknown): Record<string, unknown>;
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function pickObjects(value: Values): Readonly<Record<string, Values>> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Values] => isObject(entry[1])));
}
