import type { Save } from './definition.ts';
import { isWithin, nameInItems, parseFieldPointer, nested, valueAt } from './field-path.ts';
import { isObject, type JsonObject, type Values } from './json.ts';
import type { FieldSpec, ScreenData } from './screen.ts';
import { readFieldUi } from './ui.ts';

/**
 * Returns the form values that may be saved: those of fields that the user fills in. Excludes secrets, files, fields that the flow omits and
 * fields that the screen does not have. Computed and read-only values are excluded too, because they may differ when the journey is resumed.
 */
export function savedForm(
  { fields, ui }: Pick<ScreenData, 'fields' | 'ui'>,
  { without: left = [] }: Partial<Save>,
  values: Values,
): Values {
  const without = left.map(parseFieldPointer);
  const kept = fields.filter(({ name }) => !without.some((group) => isWithin(name, group)));
  return savedIn(kept, (name) => readFieldUi(ui, name), values);
}

/** `uiOfField` returns the uiSchema of a field by its name in the form or in the item of a list. */
function savedIn(fields: readonly FieldSpec[], uiOfField: (name: string) => JsonObject, values: Values): Values {
  return nested(
    fields.flatMap((field) => {
      const { name } = field;
      if (!isSaved(field, uiOfField(name))) return [];
      const value = savedValue(field, uiOfField, valueAt(values, name));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function isSaved({ secret, computed }: FieldSpec, ui: JsonObject): boolean {
  return !secret && computed === undefined && ui['ui:readonly'] !== true;
}

function savedValue({ name, item }: FieldSpec, uiOfField: (name: string) => JsonObject, value: unknown): unknown {
  if (!item) return Array.isArray(value) ? value.filter(isPlain) : isPlain(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const inItem = (step: string) => uiOfField(nameInItems(name, step));
  if (item[0]?.name === '')
    return value.flatMap((one: unknown) => {
      const { '': kept } = savedIn(item, inItem, { '': one });
      return kept === undefined ? [] : [kept];
    });
  return value.filter(isObject).map((one) => savedIn(item, inItem, one));
}

/** Excludes files, which are texts with their content (data URLs). */
function isPlain(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== '' && !/^\s*data:/i.test(value)
    : typeof value === 'number' || typeof value === 'boolean';
}
