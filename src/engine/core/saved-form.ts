import type { Save, Ui } from './definition.ts';
import { isWithin, nameOfPointer, nested, valueAt } from './field-path.ts';
import type { JsonObject, Values } from './json.ts';
import { asForm, fromForm, holdsValues, itemUi } from './lists.ts';
import type { FieldPlan, ScreenData } from './screen.ts';
import { uiOf } from './ui.ts';

/**
 * What of a form is saved: of fields that a citizen fills in. Never a secret, a file, or a field that the flow leaves out; nothing that is
 * computed or only read, which may be another one when the journey goes on; and nothing that the screen does not ask for.
 */
export function savedForm(
  { fields, ui }: Pick<ScreenData, 'fields' | 'ui'>,
  { without: left = [] }: Partial<Save>,
  values: Values,
): Values {
  const without = left.map(nameOfPointer);
  const kept = fields.filter(
    (field) => isSaved(field, uiOf(ui, field.name)) && !without.some((name) => isWithin(field.name, name)),
  );
  return nested(
    kept.flatMap((field) => {
      const value = savedValue(field, ui, valueAt(values, field.name));
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

function isSaved({ secret, computed }: FieldPlan, ui: JsonObject): boolean {
  return !secret && computed === undefined && ui['ui:readonly'] !== true;
}

function savedValue(field: FieldPlan, ui: Ui, value: unknown): unknown {
  if (!field.item) return Array.isArray(value) ? value.filter(isPlain) : isPlain(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const item = { fields: field.item, ui: itemUi(ui, field.name) };
  const given = value.map((one) => asForm(field, one)).filter((one) => one !== null);
  const forms = given.map((one) => savedForm(item, {}, one));
  return forms.filter((one) => !holdsValues(field) || one[''] !== undefined).map((one) => fromForm(field, one));
}

/** A file is a text that holds its content (a data URL). */
function isPlain(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== '' && !/^\s*data:/i.test(value)
    : typeof value === 'number' || typeof value === 'boolean';
}
