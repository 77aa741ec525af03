import type { Values } from './json.ts';

/**
 * A field inside of an object goes by the names of both, with a point between them: "direccion.calle". Values are nested as the schema
 * nests them; everything that the engine keeps of a field goes by its one name.
 */
export function stepsOfName(name: string): readonly string[] {
  return name.includes('.') ? name.split('.') : [name];
}

/** The name of what stands in another; an empty step is no name: that of the form itself, of an item that is one value, of a list that is an item. */
export function nameWithin(...steps: readonly string[]): string {
  return steps.filter(Boolean).join('.');
}

/** The name of an item's field among the validators: of all items it is the same. */
export function nameInItems(list: string, field: string): string {
  return nameWithin(list, 'items', field);
}

/** The names of the objects that a field stands in, the outermost first. */
export function groupsOfName(name: string): readonly string[] {
  const steps = stepsOfName(name);
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
}

/** Whether a name is another's, or that of something inside of it. */
export function isWithin(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}.`);
}

/** The name of the field that a pointer leads to: "/direccion/calle". */
export function nameOfPointer(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

/** Whether a value is an object, or an array whose items are fields that are called by their places: "par.0". */
export function holdsValues(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The value of a field, or of an object of fields; undefined where it has none. */
export function valueAt(values: Values, name: string): unknown {
  if (!name.includes('.')) return Object.hasOwn(values, name) ? values[name] : undefined;
  let node: unknown = values;
  for (const step of stepsOfName(name)) node = holdsValues(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  return node;
}

/** Stores the value of a field of the schema, in an array where it is called by its place; undefined takes it away, and with it the objects that it leaves empty. */
export function setValue(values: Record<string, unknown>, name: string, value: unknown): void {
  const [step = '', ...rest] = stepsOfName(name);
  if (rest.length === 0) {
    if (value === undefined) delete values[step];
    else values[step] = value;
    return;
  }
  const known = holdsValues(values[step]) ? values[step] : {};
  const inner: Record<string, unknown> = Object.assign(/^\d+$/.test(rest[0] ?? '') ? [] : {}, known); // what was handed out stays as it was
  setValue(inner, rest.join('.'), value);
  if (Object.keys(inner).length === 0) delete values[step];
  else values[step] = inner;
}

/** Values as the schema nests them, from fields by name. */
export function nested(entries: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const inner = entries.filter(([name]) => name.includes('.'));
  const flat = inner.length === 0 ? entries : entries.filter(([name]) => !name.includes('.'));
  const values = Object.fromEntries(flat) as Record<string, unknown>; // what a citizen sent may be named __proto__
  for (const [name, value] of inner) setValue(values, name, value);
  return values;
}
