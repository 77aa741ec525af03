import { getFieldValue } from './field-path.ts';
import { isObject, type JsonObject, type Values } from './json.ts';
import { buildItemUi } from './lists.ts';
import { formatNumber } from './values/numbers.ts';
import { runtime } from './validator-runtime.ts';
import type { Ui } from './definition.ts';
import type { FieldSpec } from './screen.ts';
import { readFieldUi, findUiText } from './ui.ts';
import { isEmpty } from './validate.ts';

export interface SummaryRow {
  /** Name of the field. For a field inside an object, its path: "direccion.calle". */
  readonly field: string;
  readonly title: string;
  /** Label of the chosen option, or the formatted value. */
  readonly text: string;
}

export interface CheckboxTexts {
  readonly ticked: string;
  readonly empty: string;
}

/** Returns the answers of a form in display order, as titles and texts. Omits secrets, hidden fields and read-only fields. */
export function summarizeAnswers(
  screen: { readonly ui: Ui; readonly fields: readonly FieldSpec[]; readonly language: string },
  values: Values,
  words: CheckboxTexts,
): readonly SummaryRow[] {
  const { ui, fields } = screen;
  return fields.flatMap((field) => {
    const value = getFieldValue(values, field.name);
    const own = readFieldUi(ui, field.name);
    if (field.secret || own['ui:readonly'] === true || own['ui:widget'] === 'hidden' || isEmpty(value)) return [];
    const title = findUiText(ui, field.name, 'ui:title') ?? field.name;
    return [{ field: field.name, title, text: formatAnswer(field, screen, value, words) }];
  });
}

function formatAnswer(
  field: FieldSpec,
  { ui, language }: { readonly ui: Ui; readonly language: string },
  value: unknown,
  words: CheckboxTexts,
): string {
  const { item } = field;
  if (!Array.isArray(value)) return formatValue(field.schema, readFieldUi(ui, field.name), value, words, language);
  if (!item)
    return value.map((one) => formatValue(field.schema, readFieldUi(ui, field.name), one, words, language)).join(', ');
  const inner = buildItemUi(ui, field.name);
  // one line per item, even if its values contain line breaks
  const lines = value.map((one: unknown) =>
    summarizeAnswers({ ui: inner, fields: item, language }, isObject(one) ? one : { '': one }, words)
      .map(({ field: name, title, text }) => (name === '' ? text : `${title}: ${text}`))
      .join(', ')
      .replaceAll('\n', '; '),
  );
  return lines.join('\n');
}

function formatValue(
  schema: JsonObject,
  ui: JsonObject,
  value: unknown,
  words: CheckboxTexts,
  language: string,
): string {
  const label = findChoiceLabel(schema, ui, value);
  if (label !== undefined) return label;
  if (typeof value === 'boolean') return value ? words.ticked : words.empty;
  if (typeof value === 'number') return formatNumber(value, language);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the label of a choice, from `ui:enumNames` or the `title` beside its `const`. */
export function findChoiceLabel(schema: JsonObject, ui: JsonObject, value: unknown): string | undefined {
  const { items } = schema;
  const choices = isObject(items) ? items : schema;
  const listed = Array.isArray(choices['enum']) ? choices['enum'].findIndex((one) => runtime.equal(one, value)) : -1;
  const names = ui['ui:enumNames'];
  const name = Array.isArray(names) ? names[listed] : undefined;
  if (typeof name === 'string') return name;
  const constants = [choices['oneOf'], choices['anyOf']].flat();
  const chosen = constants.find((one) => isObject(one) && one['const'] === value);
  return isObject(chosen) && typeof chosen['title'] === 'string' ? chosen['title'] : undefined;
}
