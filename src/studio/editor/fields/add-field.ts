import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioCases, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { fieldsOf, filesOf, type Both } from '../tasks/screen-tasks.ts';
import { dependenceEdits, type NewDependence } from './dependent-choices.ts';
import { listOf, requiredEdits, schemaPlace, uiPlace } from './field-place.ts';
import { logicOfFormula, typeOfFormula } from './formulas.ts';
import { newFieldCases } from './new-cases.ts';
import { chainOf, isHolder, keywordOf, type FieldKind, type NewField } from './new-field.ts';

/** Changes to add a field: rules, texts, a case that its rule rejects, and a value in the existing cases if it is required. */
export function addField(set: StudioSet, screen: string, field: NewField, cases: StudioCases): readonly FileChange[] {
  const { schema, ui, pt } = filesOf(screen);
  const chain = chainOf(field);
  const [name = ''] = chain[0] ?? [];
  const isCaptcha = field.within === '' && Object.hasOwn(fieldsOf(set, screen), 'captcha_response');
  const own = schemaOf(field, listOf(set, screen, name) !== null);
  const schemaEdits: readonly StudioEdit[] = set.files[schema]
    ? [
        {
          pointer: `${schemaPlace(set, screen, field.within)}/properties/${escapePointer(field.name)}`,
          value: own,
          ...(isCaptcha && { before: 'captcha_response' }),
        },
        ...(field.required ? requiredEdits(set, screen, name, true) : []),
        ...Object.entries(computedOf(field)).map(([key, value]) => ({ pointer: `/computed/${key}`, value })),
        ...dependenceEdits(set, screen, name, dependenceOfNew(field)),
      ]
    : [{ pointer: '', value: newSchema(field, own) }];
  const textEdits = (language: keyof Both): readonly StudioEdit[] => {
    const texts = uiOf(field, language);
    return [
      ...(Object.keys(texts).length === 0 ? [] : [{ pointer: uiPlace(name), value: texts }]),
      ...chain.flatMap(([full, { rule, message }]) =>
        message[language] === '' || rule === 'none'
          ? []
          : [{ pointer: `/messages/${escapePointer(full)}/${keywordOf(rule)}`, value: message[language] }],
      ),
    ];
  };
  const change = (file: string, edits: readonly StudioEdit[]): readonly FileChange[] =>
    edits.length === 0 ? [] : [{ file, base: set.files[file]?.version ?? null, edits }];
  const caseEdits = newFieldCases(set, screen, field, cases);
  return [
    ...change(schema, schemaEdits),
    ...change(ui, [...textEdits('es'), ...sectionEdits(set, ui, field, isCaptcha)]),
    ...change(pt, textEdits('pt')),
    ...(caseEdits.length === 0 ? [] : [{ file: cases.file, base: cases.version, edits: caseEdits }]),
  ];
}

/** Formats of the kinds that need no other rule. */
const formats: Readonly<Partial<Record<FieldKind, string>>> = { date: 'date', datetime: 'date-time', time: 'time' };

/** `isListed`: whether the field belongs to items of a list, which may not contain secrets. */
function schemaOf(field: NewField, isListed: boolean): JsonObject {
  const { kind, shared, rule, parameter, choices, inner, least, most } = field;
  if (shared) return { $ref: shared.reference };
  if (kind === 'group') return groupOf(inner, isListed);
  if (kind === 'list')
    return {
      type: 'array',
      ...(least !== '' && { minItems: Number(least) }),
      maxItems: Number(most),
      items: groupOf(inner, true),
    };
  if (kind === 'computed') return { type: typeOfFormula(field.formula) };
  const limit = keywordOf(rule);
  const own: JsonObject =
    limit === ''
      ? {}
      : { [limit]: rule === 'digits' ? '^[0-9]+$' : rule === 'pattern' ? parameter : Number(parameter) };
  if (kind === 'checkbox') return { type: 'boolean' };
  const listed = { type: 'string', enum: choices.map(({ value }) => value) };
  if (kind === 'choice') return listed;
  if (kind === 'choices') return { type: 'array', uniqueItems: true, items: listed };
  if (kind in formats) return { type: 'string', format: formats[kind] ?? '' };
  if (kind === 'file') return { type: 'string', ...(!isListed && { writeOnly: true }), file: { maxKb: 2048 } };
  if (kind === 'number' || kind === 'decimal') return { type: kind === 'number' ? 'integer' : 'number', ...own };
  return { type: 'string', ...(limit !== 'maxLength' && { maxLength: kind === 'paragraph' ? 2000 : 200 }), ...own };
}

function groupOf(inner: NewField | null, isListed: boolean): JsonObject {
  return {
    type: 'object',
    ...(inner?.required && { required: [inner.name] }),
    properties: inner ? { [inner.name]: schemaOf(inner, isListed) } : {},
  };
}

function computedOf({ kind, name, shared, formula }: NewField): JsonObject {
  const logic = kind === 'computed' && !shared ? logicOfFormula(formula) : undefined;
  return logic === undefined ? {} : { [name]: logic };
}

function dependenceOfNew({ dependence, choices, kind }: NewField): NewDependence | null {
  if (!dependence) return null;
  return { on: dependence, choices: choices.map(({ value }) => value), isSeveral: kind === 'choices' };
}

function newSchema(field: NewField, own: JsonObject): JsonObject {
  const computed = computedOf(field);
  return {
    $schema: '../_formats/screen.schema.json',
    type: 'object',
    ...(field.required && { required: [field.name] }),
    properties: { [field.name]: own },
    ...(Object.keys(computed).length > 0 && { computed }),
  };
}

/** Widgets of the kinds whose type does not determine one. */
const widgets: Readonly<Partial<Record<FieldKind, string>>> = {
  paragraph: 'textarea',
  checkbox: 'checkbox',
  choice: 'radio',
  file: 'file',
};

function uiOf(field: NewField, language: keyof Both): JsonObject {
  const { kind, shared, label, help, choices, inner, itemLabel } = field;
  const widget = (shared ? undefined : widgets[kind]) ?? '';
  const within = inner ? { [inner.name]: uiOf(inner, language) } : {};
  return {
    ...(label[language] !== shared?.label[language] && { 'ui:title': label[language] }),
    ...(widget !== '' && language === 'es' && { 'ui:widget': widget }),
    ...(help[language] !== '' && { 'ui:help': help[language] }),
    ...(!shared && choices.length > 0 && { 'ui:enumNames': choices.map((choice) => choice[language]) }),
    ...(isHolder(field) && (kind === 'list' ? { items: { 'ui:title': itemLabel[language], ...within } } : within)),
  };
}

function sectionEdits(
  set: StudioSet,
  file: string,
  { section, name }: NewField,
  isCaptcha: boolean,
): readonly StudioEdit[] {
  const pointer = `/sections/${section}/fields`;
  const fields = section === null ? undefined : valueIn(set, file, pointer);
  if (!Array.isArray(fields)) return [];
  const captcha = isCaptcha ? fields.indexOf('captcha_response') : -1;
  return [{ pointer: `${pointer}/-`, value: name, ...(captcha >= 0 && { before: String(captcha) }) }];
}
