export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/** Form values by property name. `undefined` is equivalent to a missing property. */
export type ValuesByName = Readonly<Record<string, unknown>>;

export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is Record<string, unknown>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: Json | undefined): JsonObject;
export function asObject(value: unknown): Record<string, unknown>;
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

export function pickObjectValues(value: ValuesByName): Readonly<Record<string, ValuesByName>> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, ValuesByName] => isObject(entry[1])),
  );
}

export function mapValues<Value, Mapped>(
  table: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, change(value, name)]));
}

/** Like `Map.groupBy`, which is newer than the supported browsers. */
export function groupBy<Item>(
  items: Iterable<Item>,
  key: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
