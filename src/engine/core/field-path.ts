import { isObject, type JsonObject, type ValuesByName } from './json.ts';
import { escapePointer } from './json-pointer.ts';

/** The name of a field inside an object is its path: "direccion.calle". Values are nested, but the engine identifies a field by this name. */
export function splitFieldName(name: string): readonly string[] {
  return name.includes('.') ? name.split('.') : [name];
}

/** Joins segments to the name of a nested field. Skips empty segments, which stand for the form, a single-value item, and a list inside a list. */
export function joinFieldName(...steps: readonly string[]): string {
  return steps.filter(Boolean).join('.');
}

export function joinItemFieldName(list: string, field: string): string {
  return joinFieldName(list, 'items', field);
}

/** Returns the name of a value's field in the schema, where "items" stands for every index of a list item. */
export function replaceIndexesWithItems(name: string): string {
  return name.replaceAll(/\.\d+(?=\.|$)/g, '.items');
}

/** Returns the names of the objects that contain a field, outermost first. */
export function listEnclosingObjectNames(name: string): readonly string[] {
  const steps = splitFieldName(name);
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('.'));
}

export function isFieldWithin(name: string, group: string): boolean {
  return name === group || name.startsWith(`${group}.`);
}

/** Returns the field that a variable of a rule reads, e.g. "direccion.calle" for "form.direccion.calle". Returns `undefined` for other variables. */
export function parseFieldVariable(path: unknown): string | undefined {
  return typeof path === 'string' && path.startsWith('form.') ? path.slice('form.'.length) : undefined;
}

/** Returns the name of the field at a JSON pointer, e.g. "/direccion/calle". */
export function parseFieldPointer(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}

/** Returns the JSON pointer of a field in ui.json, or of all its fields if the name is empty. */
export function buildUiPointer(name: string): string {
  return name === '' ? '/fields' : `/fields/${splitFieldName(name).map(escapePointer).join('/')}`;
}

export function isFieldGroupSchema({ type, properties }: JsonObject): boolean {
  return type === 'object' && isObject(properties);
}

/** Whether a value is an object or an array. The items of an array with fixed items are fields named by index: "par.0". */
export function isObjectOrArray(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function getFieldValue(values: ValuesByName, name: string): unknown {
  if (!name.includes('.')) return Object.hasOwn(values, name) ? values[name] : undefined;
  let node: unknown = values;
  for (const step of splitFieldName(name))
    node = isObjectOrArray(node) && Object.hasOwn(node, step) ? node[step] : undefined;
  return node;
}

/** Stores the value of a field. Creates an array if the field is named by its index. `undefined` deletes the value, and objects that become empty. */
export function setFieldValue(values: Record<string, unknown>, name: string, value: unknown): void {
  const [step = '', ...rest] = splitFieldName(name);
  if (rest.length === 0) {
    if (value === undefined) delete values[step];
    else values[step] = value;
    return;
  }
  const known = isObjectOrArray(values[step]) ? values[step] : {};
  // copied, because other code may refer to the nested object
  const inner: Record<string, unknown> = Object.assign(/^\d+$/.test(rest[0] ?? '') ? [] : {}, known);
  setFieldValue(inner, rest.join('.'), value);
  if (Object.keys(inner).length === 0) delete values[step];
  else values[step] = inner;
}

export function nestFieldValues(
  entries: readonly (readonly [name: string, value: unknown])[],
): Record<string, unknown> {
  const inner = entries.filter(([name]) => name.includes('.'));
  const flat = inner.length === 0 ? entries : entries.filter(([name]) => !name.includes('.'));
  const values = Object.fromEntries(flat) as Record<string, unknown>; // creates an own property even if a request names a field __proto__
  for (const [name, value] of inner) setFieldValue(values, name, value);
  return values;
}
