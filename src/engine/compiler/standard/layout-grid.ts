import { isObject, type Json, type JsonObject } from '../../core/json.ts';

/** The fields that stand beside each other, from above to below. */
type Rows = readonly (readonly string[])[];

/** Words for how wide a column is, of the themes of rjsf. */
const widths = ['xs', 'sm', 'md', 'lg', 'xl', 'size', 'span'];
const whole = 12;

/**
 * The rows of a grid of rjsf (`LayoutGridField`). Undefined where two columns do not say it: a row of more fields, a column of several, a condition; and where the
 * grid has not each of the fields, since rjsf draws no other.
 */
export function rowsOfGrid(grid: Json, names: readonly string[]): Rows | undefined {
  const rows = rowsOf(grid);
  const drawn = rows?.flat() ?? [];
  const isAll = drawn.length === names.length && names.every((name) => drawn.includes(name));
  return isAll && rows?.every((row) => row.length <= 2) ? rows : undefined;
}

function rowsOf(node: Json): Rows | undefined {
  const name = nameOf(node);
  if (name !== undefined) return [[name]];
  const row = childrenOf(node, 'ui:row');
  if (row) return besideEachOther(row.flatMap(columnsOf));
  return inOneColumn(childrenOf(node, 'ui:col') ?? []);
}

interface Column {
  readonly rows: Rows | undefined;
  readonly isWhole: boolean;
}

function columnsOf(node: Json): readonly Column[] {
  const several = childrenOf(node, 'ui:columns');
  if (several) return several.map((child) => ({ rows: rowsOf(child), isWhole: isWhole(node, 'ui:columns') }));
  return [{ rows: rowsOf(node), isWhole: isWhole(node, 'ui:col') }];
}

function inOneColumn(children: readonly Json[]): Rows | undefined {
  const inner = children.map(rowsOf);
  return inner.length > 0 && inner.every((rows) => rows !== undefined) ? inner.flat() : undefined;
}

function besideEachOther(columns: readonly Column[]): Rows | undefined {
  const inner = columns.map(({ rows }) => rows);
  if (!inner.every((rows) => rows !== undefined)) return undefined;
  if (columns.length < 2 || columns.every((column) => column.isWhole)) return inner.flat();
  return columns.every((column) => !column.isWhole && column.rows?.flat().length === 1) ? [inner.flat(2)] : undefined;
}

function isWhole(node: Json, word: string): boolean {
  const column = partOf(node, word);
  const own = widths.flatMap((width) => column?.[width] ?? []);
  return own.length > 0 && own.every((width) => width === whole);
}

function nameOf(node: Json): string | undefined {
  if (typeof node === 'string') return node;
  return isObject(node) && typeof node.name === 'string' ? node.name : undefined;
}

function childrenOf(node: Json, word: string): readonly Json[] | undefined {
  const children = partOf(node, word)?.children;
  return Array.isArray(children) ? children : undefined;
}

function partOf(node: Json, word: string): JsonObject | undefined {
  const part = isObject(node) ? node[word] : undefined;
  return isObject(part) ? (part as JsonObject) : undefined;
}
