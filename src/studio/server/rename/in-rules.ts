import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FieldName } from './field-name.ts';
import type { JsonString } from './replace-strings.ts';

type Path = JsonString['path'];

/** Operators that evaluate their second operand for each item of the first. */
const iterators: ReadonlySet<string | number> = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

/** Renames the field in a variable of an iterator, e.g. `current.numero` of "reduce" or `numero` of "some". Returns any other text unchanged. */
export function readInItem(field: FieldName, file: Json, { path, value }: JsonString): string {
  const at = path.findLastIndex((step, index) => iterators.has(step) && path[index + 1] === 1);
  const isRead = path.at(-1) === 'var' || (path.at(-2) === 'var' && path.at(-1) === 0);
  if (at < 0 || !isRead || field.list === null || listOf(atPath(file, [...path.slice(0, at + 1), 0])) !== field.list)
    return value;
  const start = path[at] === 'reduce' ? 'current.' : '';
  return value.startsWith(start) ? start + field.in(value.slice(start.length), [field.list, 'items']) : value;
}

/** Returns the list that an iterator runs over, directly or through `filter`. */
function listOf(over: Json | undefined): string | null {
  if (!isObject(over)) return null;
  const { var: path, filter } = over as JsonObject;
  if (Array.isArray(filter)) return listOf(filter[0]);
  return typeof path === 'string' && path.startsWith('form.') ? path.slice('form.'.length) : null;
}

/** Whether a text is compared with `error.field`. */
export function isComparedError(file: Json, path: Path): boolean {
  if ([path.at(-1), path.at(-2)].includes('error.field')) return true;
  return [path.slice(0, -1), path.slice(0, -2)].some((around) => {
    const operands = atPath(file, around);
    return Array.isArray(operands) && operands.some((one: Json) => isObject(one) && one['var'] === 'error.field');
  });
}

function atPath(file: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((node, step) => {
    if (Array.isArray(node)) return (node as readonly Json[])[Number(step)];
    return isObject(node) ? (node as JsonObject)[String(step)] : undefined;
  }, file);
}
