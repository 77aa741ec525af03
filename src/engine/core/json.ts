/** Any JSON value: what schemas, flows and operations are made of. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object, the shape of every form and every body. */
export type JsonObject = { readonly [key: string]: Json };

/** The values of one form: property name to value; `undefined` and absent mean the same. */
export type Values = Readonly<Record<string, unknown>>;

/** Tells whether `value` is an object that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those properties of an object that are objects themselves. */
export function objectsIn(value: Values): Readonly<Record<string, Values>> {
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, Values] => isObject(entry[1])));
}
