import type { ScreenUi } from './flow-and-screen-types.ts';
import { isFieldWithin, joinItemFieldName, joinFieldName } from './field-path.ts';
import { isObject, type ValuesByName } from './json.ts';
import { formatFieldFault } from './messages.ts';
import type { FieldSpec, CompiledScreen } from './compiled-screen.ts';
import { readFieldUi } from './screen-ui-queries.ts';
import {
  validateScreenForm,
  pruneFormValues,
  type ListValidator,
  type ScreenValidator,
} from './validate-screen-form.ts';

export const listTextKeys = [
  'list.add',
  'list.remove',
  'list.undo',
  'list.up',
  'list.down',
  'list.added',
  'list.removed',
  'list.restored',
  'list.moved',
] as const;

export type ListTextKey = (typeof listTextKeys)[number];

export function isListTextKey(key: string): boolean {
  return key.startsWith('list.') || key.endsWith('.list');
}

/** Returns the ui of a list item, which is a small form. A single-value item has one field with an empty name. */
export function buildListItemUi(ui: ScreenUi, list: string): ScreenUi {
  const items = joinItemFieldName(list, '');
  const own = readFieldUi(ui, items);
  return {
    title: '',
    fields: { ...own, '': own } as ScreenUi['fields'], // `own` has the uiSchemas of an object's fields, or the keywords of a single value
    visible: pickListItemEntries(ui.visible ?? {}, list),
    messages: pickListItemEntries(ui.messages ?? {}, list),
  };
}

/** Returns the entries of a list's items, by field name within the item. */
export function pickListItemEntries<Value>(
  table: Readonly<Record<string, Value>>,
  list: string,
): Record<string, Value> {
  const items = joinItemFieldName(list, '');
  const own = Object.entries(table).filter(([name]) => isFieldWithin(name, items));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(items.length + 1), value]));
}

export function joinIndexedFieldName(list: string, index: number, field: string): string {
  return joinFieldName(list, String(index), field);
}

export function hasSingleValueItems({ item = [] }: FieldSpec): boolean {
  return item.length === 1 && item[0]?.name === '';
}

export function toListItemForm(list: FieldSpec, value: unknown): ValuesByName | null {
  if (hasSingleValueItems(list)) return { '': value };
  return isObject(value) ? value : null;
}

export function toListItem(list: FieldSpec, form: ValuesByName): unknown {
  return hasSingleValueItems(list) ? (form[''] ?? null) : form;
}

const itemValidators = new WeakMap<ScreenValidator, Map<string, ScreenValidator>>();

export function getListItemValidator(validator: ScreenValidator, list: FieldSpec): ScreenValidator {
  const known = itemValidators.get(validator) ?? new Map<string, ScreenValidator>();
  itemValidators.set(validator, known);
  const itemRules = known.get(list.name) ?? {
    screen: buildItemScreen(validator.screen, list),
    rules: validator.rules,
    items: listValidator,
    values: pickListItemEntries(validator.values, list.name),
  };
  known.set(list.name, itemRules);
  return itemRules;
}

function buildItemScreen({ decidedBy: _, ...screen }: CompiledScreen, list: FieldSpec): CompiledScreen {
  return { ...screen, ui: buildListItemUi(screen.ui, list.name), fields: list.item ?? [], formRules: [] };
}

export const listValidator: ListValidator = {
  pruneListItems: (validator, list, value, context) => {
    const inner = getListItemValidator(validator, list);
    return value.map((item) => {
      const form = toListItemForm(list, item);
      return form ? toListItem(list, pruneFormValues(inner, form, context)) : item;
    });
  },
  findListErrors: (validator, list, value, context) => {
    const inner = getListItemValidator(validator, list);
    return value.flatMap((item, index): [string, string][] => {
      const form = toListItemForm(list, item);
      if (!form) {
        const name = joinIndexedFieldName(list.name, index, '');
        return [[name, formatFieldFault(validator.screen, list.name, { keyword: 'type' })]];
      }
      return Object.entries(validateScreenForm(inner, form, context).errors).map(
        ([name, message]): [string, string] => [joinIndexedFieldName(list.name, index, name), message],
      );
    });
  },
};
