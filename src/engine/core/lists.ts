import type { Ui } from './definition.ts';
import { isWithin, nameInItems, joinFieldName } from './field-path.ts';
import { isObject, type Values } from './json.ts';
import { formatFault } from './messages.ts';
import type { FieldSpec, ScreenData } from './screen.ts';
import { readFieldUi } from './ui.ts';
import { checkForm, pruneFormValues, type ListValidator, type Validator } from './validate.ts';

/** Message keys of texts that only list fields show. */
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
export function buildItemUi(ui: Ui, list: string): Ui {
  const items = nameInItems(list, '');
  const own = readFieldUi(ui, items);
  const relative = <Value>(table: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(
      Object.entries(table).flatMap(([name, value]) => {
        if (name === items) return [['', value] as const];
        return name.startsWith(`${items}.`) ? [[name.slice(items.length + 1), value] as const] : [];
      }),
    );
  return {
    title: '',
    fields: { ...own, '': own } as Ui['fields'], // `own` has the uiSchemas of an object's fields, or the keywords of a single value
    visible: relative(ui.visible),
    messages: relative(ui.messages),
  };
}

export function nameInItem(list: string, index: number, field: string): string {
  return joinFieldName(list, String(index), field);
}

export function hasValueItems({ item = [] }: FieldSpec): boolean {
  return item.length === 1 && item[0]?.name === '';
}

/** Converts an item to form values. Returns `null` if the list requires objects and the item is not an object. */
export function toItemForm(list: FieldSpec, value: unknown): Values | null {
  if (hasValueItems(list)) return { '': value };
  return isObject(value) ? value : null;
}

/** Converts the form values of an item back to the item. */
export function toItem(list: FieldSpec, form: Values): unknown {
  return hasValueItems(list) ? (form[''] ?? null) : form;
}

const itemValidators = new WeakMap<Validator, Map<string, Validator>>();

export function getItemValidator(validator: Validator, list: FieldSpec): Validator {
  const known = itemValidators.get(validator) ?? new Map<string, Validator>();
  itemValidators.set(validator, known);
  const items = nameInItems(list.name, '');
  const itemRules = known.get(list.name) ?? {
    screen: buildItemScreen(validator.screen, list),
    rules: validator.rules,
    items: listValidator,
    values: Object.fromEntries(
      Object.entries(validator.values).flatMap(([name, own]) =>
        isWithin(name, items) ? [[name.slice(items.length + 1), own] as const] : [],
      ),
    ),
  };
  known.set(list.name, itemRules);
  return itemRules;
}

function buildItemScreen({ decidedBy: _, ...screen }: ScreenData, list: FieldSpec): ScreenData {
  return { ...screen, ui: buildItemUi(screen.ui, list.name), fields: list.item ?? [], formRules: [] };
}

export const listValidator: ListValidator = {
  prune: (validator, list, value, context) => {
    const inner = getItemValidator(validator, list);
    return value.map((item) => {
      const form = toItemForm(list, item);
      return form ? toItem(list, pruneFormValues(inner, form, context)) : item;
    });
  },
  errors: (validator, list, value, context) => {
    const inner = getItemValidator(validator, list);
    return value.flatMap((item, index): [string, string][] => {
      const form = toItemForm(list, item);
      if (!form) {
        const name = nameInItem(list.name, index, '');
        return [[name, formatFault(validator.screen, list.name, { keyword: 'type' })]];
      }
      return Object.entries(checkForm(inner, form, context).errors).map(([name, message]): [string, string] => [
        nameInItem(list.name, index, name),
        message,
      ]);
    });
  },
};
