import { getFieldValue } from './field-path.ts';
import { formatDate } from './format-date.ts';
import { isObject, type JsonObject, type ValuesByName } from './json.ts';
import { buildListItemUi } from './list-fields.ts';
import { decodeUrlPartLeniently } from './values/decode-url-part.ts';
import { formatFileSize } from './values/file-size.ts';
import { formatNumber } from './values/numbers.ts';
import { validatorRuntime } from './validator-runtime.ts';
import type { ScreenUi } from './flow-and-screen-types.ts';
import type { FieldSpec } from './compiled-screen.ts';
import { readFieldUi, findFieldUiText } from './screen-ui-queries.ts';
import { isEmptyValue } from './validate-screen-form.ts';

export interface AnswerSummaryRow {
  readonly field: string;
  readonly title: string;
  readonly text: string;
}

export interface AnswerFormatTexts {
  readonly ticked: string;
  readonly empty: string;
  /** Formats a date (YYYY-MM-DD). If absent, dates and times remain in ISO 8601. */
  readonly formatDate?: (date: string) => string;
}

/** Returns the answers of a form in display order, as titles and texts. Omits secrets, hidden fields and read-only fields. */
export function summarizeAnswers(
  screen: { readonly ui: ScreenUi; readonly fields: readonly FieldSpec[]; readonly language: string },
  values: ValuesByName,
  words: AnswerFormatTexts,
): readonly AnswerSummaryRow[] {
  const { ui } = screen;
  return listAnsweredFields(screen, values)
    .filter(({ name }) => readFieldUi(ui, name)['ui:readonly'] !== true)
    .map((field) => ({
      field: field.name,
      title: findFieldUiText(ui, field.name, 'ui:title') ?? field.name,
      text: formatAnswer(field, screen, getFieldValue(values, field.name), words),
    }));
}

/** Returns the fields with a value, in display order. Omits secrets and hidden fields. */
export function listAnsweredFields(
  { ui, fields }: { readonly ui: ScreenUi; readonly fields: readonly FieldSpec[] },
  values: ValuesByName,
): readonly FieldSpec[] {
  return fields.filter(
    ({ name, secret }) =>
      !secret && readFieldUi(ui, name)['ui:widget'] !== 'hidden' && !isEmptyValue(getFieldValue(values, name)),
  );
}

export function formatAnswer(
  field: FieldSpec,
  { ui, language }: { readonly ui: ScreenUi; readonly language: string },
  value: unknown,
  words: AnswerFormatTexts,
): string {
  const { item } = field;
  if (!Array.isArray(value)) return formatValue(field.schema, readFieldUi(ui, field.name), value, words, language);
  if (!item)
    return value.map((one) => formatValue(field.schema, readFieldUi(ui, field.name), one, words, language)).join(', ');
  const inner = buildListItemUi(ui, field.name);
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
  words: AnswerFormatTexts,
  language: string,
): string {
  const label = findChoiceLabel(schema, ui, value);
  if (label !== undefined) return label;
  if (typeof value === 'boolean') return value ? words.ticked : words.empty;
  if (typeof value === 'number') return formatNumber(value, language);
  if (typeof value !== 'string') return JSON.stringify(value);
  const file = value.startsWith('data:') ? formatFile(value, language) : null;
  if (file !== null) return file;
  return words.formatDate ? formatTemporal(schema, value, words.formatDate) : value;
}

/** Formats a file in a data URL with a name as its name and size: `recibo.pdf (60 kB)`. Returns `null` for other texts. */
function formatFile(value: string, language: string): string | null {
  const [, encoded, content = ''] = /^data:[^,]*;name=([^;,]+);base64,(.*)$/s.exec(value) ?? [];
  if (encoded === undefined) return null;
  return `${decodeUrlPartLeniently(encoded)} (${formatFileSize(content.length, language)})`;
}

function formatTemporal({ format }: JsonObject, value: string, formatDay: (date: string) => string): string {
  const [day = '', time = ''] = value.split('T');
  if (format === 'date') return formatDay(day);
  if (format === 'date-time') return `${formatDay(day)} ${formatDate(time, 'HH:mm')}`;
  return format === 'time' ? formatDate(value, 'HH:mm') : value;
}

export function findChoiceLabel(schema: JsonObject, ui: JsonObject, value: unknown): string | undefined {
  const { items } = schema;
  const choices = isObject(items) ? items : schema;
  const listed = Array.isArray(choices['enum'])
    ? choices['enum'].findIndex((one) => validatorRuntime.equal(one, value))
    : -1;
  const names = ui['ui:enumNames'];
  const name = Array.isArray(names) ? names[listed] : undefined;
  if (typeof name === 'string') return name;
  const constants = [choices['oneOf'], choices['anyOf']].flat();
  const chosen = constants.find((one) => isObject(one) && one['const'] === value);
  return isObject(chosen) && typeof chosen['title'] === 'string' ? chosen['title'] : undefined;
}
