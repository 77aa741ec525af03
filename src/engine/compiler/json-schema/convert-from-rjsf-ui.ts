import { asObject, isObject, type Json, type JsonObject } from '../../core/json.ts';

/** Rows of fields, from top to bottom. The fields of a row are side by side. */
type Rows = readonly (readonly string[])[];

const widths = ['xs', 'sm', 'md', 'lg', 'xl', 'size', 'span'];
const fullWidth = 12;

/** Converts a `LayoutGridField` of rjsf to rows. Returns `undefined` if two columns with all fields cannot represent it. */
function lowerGrid(grid: Json, names: readonly string[]): Rows | undefined {
  const rows = lowerRows(grid);
  const gridFields = rows?.flat() ?? [];
  const isAll = gridFields.length === names.length && names.every((name) => gridFields.includes(name));
  return isAll && rows?.every((row) => row.length <= 2) ? rows : undefined;
}

function lowerRows(node: Json): Rows | undefined {
  const name = findFieldName(node);
  if (name !== undefined) return [[name]];
  const row = findChildren(node, 'ui:row');
  if (row) return joinColumns(row.flatMap(lowerColumns));
  return stackRows(findChildren(node, 'ui:col') ?? []);
}

interface Column {
  readonly rows: Rows | undefined;
  readonly isWhole: boolean;
}

function lowerColumns(node: Json): readonly Column[] {
  const several = findChildren(node, 'ui:columns');
  if (several) return several.map((child) => ({ rows: lowerRows(child), isWhole: isWhole(node, 'ui:columns') }));
  return [{ rows: lowerRows(node), isWhole: isWhole(node, 'ui:col') }];
}

function stackRows(children: readonly Json[]): Rows | undefined {
  const inner = children.map(lowerRows);
  return inner.length > 0 && inner.every((rows) => rows !== undefined) ? inner.flat() : undefined;
}

function joinColumns(columns: readonly Column[]): Rows | undefined {
  const inner = columns.map(({ rows }) => rows);
  if (!inner.every((rows) => rows !== undefined)) return undefined;
  if (columns.length < 2 || columns.every((column) => column.isWhole)) return inner.flat();
  return columns.every((column) => !column.isWhole && column.rows?.flat().length === 1) ? [inner.flat(2)] : undefined;
}

function isWhole(node: Json, word: string): boolean {
  const column = findObject(node, word);
  const own = widths.flatMap((width) => column?.[width] ?? []);
  return own.length > 0 && own.every((width) => width === fullWidth);
}

function findFieldName(node: Json): string | undefined {
  if (typeof node === 'string') return node;
  return isObject(node) && typeof node.name === 'string' ? node.name : undefined;
}

function findChildren(node: Json, word: string): readonly Json[] | undefined {
  const children = findObject(node, word)?.children;
  return Array.isArray(children) ? children : undefined;
}

function findObject(node: Json, word: string): JsonObject | undefined {
  const part = isObject(node) ? node[word] : undefined;
  return isObject(part) ? part : undefined;
}

/** Keywords of a field that rjsf reads both with the prefix "ui:" and, without it, in "ui:options". */
const optionKeywords = [
  'title',
  'description',
  'help',
  'placeholder',
  'widget',
  'readonly',
  'disabled',
  'order',
  'autocomplete',
  'enumNames',
  'inputType',
  'submitButtonOptions',
];

/** Options that rjsf reads both in "ui:options" and, with the prefix "ui:", outside of it. */
const prefixedOptions = ['addable', 'removable', 'orderable', 'rows'].map((word) => `ui:${word}`);

const widgetsOfRjsf: Readonly<Record<string, string>> = {
  updown: 'number',
  range: 'number',
  uri: 'text',
  color: 'text',
  'alt-date': 'date',
  datetime: 'date-time',
  'alt-datetime': 'date-time',
  time: 'date-time',
};

const inputTypes: Readonly<Record<string, string>> = {
  text: 'text',
  url: 'text',
  email: 'email',
  tel: 'tel',
  number: 'number',
  date: 'date',
};

/** Converts keywords of rjsf's uiSchema in a ui.json to their equivalents. Keeps other keywords, which the format check reports. */
export function convertFromRjsfUi(ui: Json, names: readonly string[], isWidget: (name: string) => boolean): Json {
  if (!isObject(ui) || !isObject(ui.fields)) return ui;
  return withButton({ ...ui, fields: withGrid(lowerFieldUi(ui.fields, isWidget), names) });
}

function withButton(ui: JsonObject & { readonly fields: JsonObject }): JsonObject {
  const { 'ui:submitButtonOptions': button, ...fields } = ui.fields;
  const { submitText: text, ...others } = asObject(button);
  if (typeof text !== 'string' || Object.keys(others).length > 0 || ui.actions !== undefined) return ui;
  return { ...ui, fields, actions: [{ event: 'submit', text, primary: true }] };
}

function withGrid(ui: JsonObject, names: readonly string[]): JsonObject {
  const { 'ui:field': field, 'ui:layoutGrid': grid, ...fields } = ui;
  const rows = field === 'LayoutGridField' && grid !== undefined ? lowerGrid(grid, names) : undefined;
  if (!rows) return ui;
  const halves = rows.flatMap((row) =>
    row.length > 1 ? row.map((name) => [name, withHalf(fields[name])] as const) : [],
  );
  return { ...fields, 'ui:order': rows.flat(), ...Object.fromEntries(halves) };
}

function withHalf(ui: Json | undefined): JsonObject {
  const own = asObject(ui);
  const options = isObject(own['ui:options']) ? own['ui:options'] : {};
  return { ...own, 'ui:options': { width: 'half', ...options } };
}

function lowerFieldUi(ui: JsonObject, own: (widget: string) => boolean): JsonObject {
  const { items, ...others } = ui;
  const parts = Array.isArray(items) ? { ...others, ...items } : ui; // fixed items are fields named by index
  const inner = Object.entries(parts).map(([key, part]) => [
    key,
    isObject(part) && !key.startsWith('ui:') ? lowerFieldUi(part, own) : part,
  ]);
  const { 'ui:options': options = {}, ...words } = Object.fromEntries(inner);
  if (!isObject(options)) return { 'ui:options': options, ...words };
  const [lifted, kept] = splitKeys(options as JsonObject, (word) => optionKeywords.includes(word));
  const [lowered, beside] = splitKeys(words, (word) => prefixedOptions.includes(word));
  const within = { ...kept, ...renameKeys(lowered, (word) => word.slice('ui:'.length)) };
  const keywords = withWidget(withHelp({ ...renameKeys(lifted, (word) => `ui:${word}`), ...beside }), own);
  return Object.keys(within).length > 0 ? { ...keywords, 'ui:options': within } : keywords;
}

function withHelp({ 'ui:description': description, ...ui }: JsonObject): JsonObject {
  if (description === undefined) return ui;
  return ui['ui:help'] === undefined ? { ...ui, 'ui:help': description } : { ...ui, 'ui:description': description };
}

function withWidget({ 'ui:inputType': kind, ...ui }: JsonObject, own: (widget: string) => boolean): JsonObject {
  const named = ui['ui:widget'];
  if (named === undefined) {
    const widget = findEntry(inputTypes, kind);
    return {
      ...ui,
      ...(widget !== undefined ? { 'ui:widget': widget } : kind !== undefined && { 'ui:inputType': kind }),
    };
  }
  const widget = own(String(named)) ? undefined : findEntry(widgetsOfRjsf, named);
  return {
    ...(widget !== undefined && named === 'color' ? { 'ui:placeholder': '#000000' } : {}),
    ...ui,
    ...(widget !== undefined && { 'ui:widget': widget }),
    ...(kind !== undefined && { 'ui:inputType': kind }),
  };
}

function findEntry(table: Readonly<Record<string, string>>, key: Json | undefined): string | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}

function splitKeys(
  table: JsonObject,
  isFirst: (word: string) => boolean,
): readonly [first: JsonObject, rest: JsonObject] {
  const entries = Object.entries(table);
  return [
    Object.fromEntries(entries.filter(([word]) => isFirst(word))),
    Object.fromEntries(entries.filter(([word]) => !isFirst(word))),
  ];
}

function renameKeys(table: JsonObject, name: (word: string) => string): JsonObject {
  return Object.fromEntries(Object.entries(table).map(([word, part]) => [name(word), part]));
}
