import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, type JsonObject, isObject, type Json } from '../../../engine/core/json.ts';
import type { StudioCases, JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import {
  buildCaseFileChanges,
  buildFileChanges,
  buildScreenFilePaths,
  readFileObject,
  readFileValue,
  type BilingualText,
  makeNameUnique,
} from '../definition-set.ts';
import { asTextOrEmpty, listJsonChildren } from '../../json-values.ts';
import { createChoiceDependencyEdits } from './dependent-choices.ts';
import {
  getParentFieldName,
  findEnclosingList,
  createRequiredEdits,
  buildFieldSchemaPointer,
  isListItemName,
  isRequiredField,
} from './field-pointers.ts';
import { buildFormulaLogic, inferFormulaType } from './formulas.ts';
import {
  buildAcceptedCaseName,
  flattenNewField,
  findExampleFieldValue,
  isContainerField,
  resolveFieldRuleKeyword,
  type FieldKind,
  type NewField,
  parseFieldValue,
} from './new-field.ts';
import { setFieldValue, getFieldValue, buildUiPointer } from '../../../engine/core/field-path.ts';
import { t } from '../../texts.ts';

/** Adds a valid value of a required field to the existing test cases. Adds a valid value of an optional field in a new test case. */
export function createNewFieldChanges(set: StudioDefinitions, screen: string, field: NewField, cases: StudioCases) {
  const { schema, ui, pt } = buildScreenFilePaths(screen);
  const chain = flattenNewField(field);
  const [name = ''] = chain[0] ?? [];
  const isCaptcha = field.within === '' && 'captcha_response' in readFileObject(set, schema, '/properties');
  const own = buildFieldSchema(field, findEnclosingList(set, screen, name) !== null);
  const schemaEdits: readonly JsonEdit[] = set.files[schema]
    ? [
        {
          pointer: `${buildFieldSchemaPointer(set, screen, field.within)}/properties/${escapePointer(field.name)}`,
          value: own,
          ...(isCaptcha && { before: 'captcha_response' }),
        },
        ...(field.required ? createRequiredEdits(set, screen, name, true) : []),
        ...Object.entries(buildComputedRule(field)).map(([key, value]) => ({ pointer: `/computed/${key}`, value })),
        ...createChoiceDependencyEdits(
          set,
          screen,
          name,
          field.dependence && {
            on: field.dependence,
            choices: field.choices.map(({ value }) => value),
            isSeveral: field.kind === 'choices',
          },
        ),
      ]
    : [{ pointer: '', value: createSchema(field, own) }];
  const textEdits = (language: keyof BilingualText): readonly JsonEdit[] => {
    const texts = buildFieldUi(field, language);
    return [
      ...(Object.keys(texts).length === 0 ? [] : [{ pointer: buildUiPointer(name), value: texts }]),
      ...chain.flatMap(([full, { rule, message }]) =>
        message[language] === '' || rule === 'none'
          ? []
          : [
              {
                pointer: `/messages/${escapePointer(full)}/${resolveFieldRuleKeyword(rule)}`,
                value: message[language],
              },
            ],
      ),
    ];
  };
  return [
    ...buildFileChanges(set, schema, schemaEdits),
    ...buildFileChanges(set, ui, [...textEdits('es'), ...createSectionEdits(set, ui, field, isCaptcha)]),
    ...buildFileChanges(set, pt, textEdits('pt')),
    ...buildCaseFileChanges(cases, createCaseEdits(set, screen, field, cases)),
  ];
}

const formats: Readonly<Partial<Record<FieldKind, string>>> = { date: 'date', datetime: 'date-time', time: 'time' };

/** `isListed`: the field belongs to list items, which must not contain write-only values. */
function buildFieldSchema(field: NewField, isListed: boolean): JsonObject {
  const { kind, shared, rule, parameter, choices, inner, least, most } = field;
  if (shared) return { $ref: shared.reference };
  if (kind === 'group') return buildGroupSchema(inner, isListed);
  if (kind === 'list')
    return {
      type: 'array',
      ...(least !== '' && { minItems: Number(least) }),
      maxItems: Number(most),
      items: buildGroupSchema(inner, true),
    };
  if (kind === 'computed') return { type: inferFormulaType(field.formula) };
  const limit = resolveFieldRuleKeyword(rule);
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

function buildGroupSchema(inner: NewField | null, isListed: boolean): JsonObject {
  return {
    type: 'object',
    ...(inner?.required && { required: [inner.name] }),
    properties: inner ? { [inner.name]: buildFieldSchema(inner, isListed) } : {},
  };
}

function buildComputedRule({ kind, name, shared, formula }: NewField): JsonObject {
  const logic = kind === 'computed' && !shared ? buildFormulaLogic(formula) : undefined;
  return logic === undefined ? {} : { [name]: logic };
}

function createSchema(field: NewField, own: JsonObject): JsonObject {
  const computed = buildComputedRule(field);
  return {
    $schema: '../_formats/screen.schema.json',
    type: 'object',
    ...(field.required && { required: [field.name] }),
    properties: { [field.name]: own },
    ...(Object.keys(computed).length > 0 && { computed }),
  };
}

const widgets: Readonly<Partial<Record<FieldKind, string>>> = {
  paragraph: 'textarea',
  checkbox: 'checkbox',
  choice: 'radio',
  file: 'file',
};

function buildFieldUi(field: NewField, language: keyof BilingualText): JsonObject {
  const { kind, shared, label, help, choices, inner, itemLabel } = field;
  const widget = (shared ? undefined : widgets[kind]) ?? '';
  const within = inner ? { [inner.name]: buildFieldUi(inner, language) } : {};
  return {
    ...(label[language] !== shared?.label[language] && { 'ui:title': label[language] }),
    ...(widget !== '' && language === 'es' && { 'ui:widget': widget }),
    ...(help[language] !== '' && { 'ui:help': help[language] }),
    ...(!shared && choices.length > 0 && { 'ui:enumNames': choices.map((choice) => choice[language]) }),
    ...(isContainerField(field) &&
      (kind === 'list' ? { items: { 'ui:title': itemLabel[language], ...within } } : within)),
  };
}

function createSectionEdits(set: StudioDefinitions, file: string, { section, name }: NewField, isCaptcha: boolean) {
  const pointer = `/sections/${section}/fields`;
  const fields = section === null ? undefined : readFileValue(set, file, pointer);
  if (!Array.isArray(fields)) return [];
  const captcha = isCaptcha ? fields.indexOf('captcha_response') : -1;
  return [{ pointer: `${pointer}/-`, value: name, ...(captcha >= 0 && { before: String(captcha) }) }];
}

function createCaseEdits(set: StudioDefinitions, screen: string, field: NewField, cases: StudioCases) {
  const good = buildValidValue(field);
  if (good === undefined) return [];
  if (!field.required) return createAcceptedCaseEdits(set, screen, field, { cases, good });
  const put = (values: Json | undefined, at: string): readonly JsonEdit[] =>
    listContainers(set, screen, field.within, values).map((place) => ({
      pointer: `${at}${place}/${escapePointer(field.name)}`,
      value: good,
    }));
  const overrides = field.within.split('.')[0] ?? '';
  const rows = readFileObject({ files: { [cases.file]: cases } }, cases.file, '/cases');
  const ofCases = listJsonChildren(rows, '/cases').flatMap(([, row, at]) => {
    const { data, with: others } = asObject(row);
    const overridesShared = overrides !== '' && overrides in asObject(others); // whether the case overrides this shared value of the file
    return [...(isObject(data) ? put(data, `${at}/data`) : []), ...(overridesShared ? put(others, `${at}/with`) : [])];
  });
  return [...put(cases.data as JsonObject, '/data'), ...ofCases];
}

/** Returns the name of a new field in a test case. A field of list items has the name that it has in the first item. */
export function getFieldNameInTestCase(set: StudioDefinitions, screen: string, field: NewField): string {
  const [name, leaf] = flattenNewField(field).at(-1) ?? ['', field];
  const steps = name.split('.');
  const isNewList = leaf !== field && field.kind === 'list';
  return steps
    .map((step, index) => {
      const parentName = steps.slice(0, index + 1).join('.');
      return isListItemName(set, screen, parentName) || (isNewList && index === steps.length - 2) ? '0' : step;
    })
    .join('.');
}

function createAcceptedCaseEdits(
  set: StudioDefinitions,
  screen: string,
  field: NewField,
  { cases, good }: { readonly cases: StudioCases; readonly good: Json },
): readonly JsonEdit[] {
  const name = getFieldNameInTestCase(set, screen, { ...field, inner: null });
  const [top = ''] = name.split('.');
  const holder = getParentFieldName(name);
  // Finds a valid case. Its values fill the other fields of the new field's group.
  const validCase = cases.list.find(
    ({ data, errors }) => Object.keys(errors).length === 0 && getFieldValue(data, holder) !== undefined,
  );
  const parentValue = validCase?.data[top];
  const values: Record<string, unknown> = parentValue === undefined ? {} : { [top]: parentValue };
  const { on, left } = field.dependence ?? { on: '', left: {} };
  const deciding = getFieldValue({ ...cases.data, ...values }, on);
  const [choice] = left[JSON.stringify(deciding)] ?? [];
  setFieldValue(values, name, choice === undefined ? good : parseFieldValue(field, asTextOrEmpty(choice)));
  const value: JsonObject = { note: t('acceptedCase', { field: field.label.es }), with: values as JsonObject };
  const takenNames = cases.list.map((known) => known.name);
  const caseName = makeNameUnique(buildAcceptedCaseName(field.name), '-', takenNames);
  return [{ pointer: `/cases/${escapePointer(caseName)}`, value }];
}

function buildValidValue(field: NewField): Json | undefined {
  const { kind, inner, shared } = field;
  if (isContainerField(field)) {
    const own = inner ? buildValidValue(inner) : undefined;
    const group: JsonObject = inner && own !== undefined ? { [inner.name]: own } : {};
    if (kind === 'list') return [group];
    return own === undefined ? undefined : group;
  }
  const good = findExampleFieldValue(field);
  return good === '' || (kind === 'computed' && !shared) ? undefined : parseFieldValue(field, good);
}

type Container = readonly [at: string, value: Json | undefined];

function listContainers(set: StudioDefinitions, screen: string, within: string, values: Json | undefined) {
  const steps = within === '' ? [] : within.split('.');
  let holders: readonly Container[] = [['', values]];
  steps.forEach((step, index) => {
    const name = steps.slice(0, index + 1).join('.');
    holders = holders.flatMap(([at, value]) => {
      if (isListItemName(set, screen, name))
        return listJsonChildren(value, at).map(([, item, place]): Container => [place, item]);
      const child = asObject(value)[step];
      const isThere = child !== undefined || isRequiredField(set, screen, name);
      return isThere ? [[`${at}/${escapePointer(step)}`, child] satisfies Container] : [];
    });
  });
  return holders.map(([at]) => at);
}
