import type { Logic } from '../../../engine/core/definition.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { fill } from '../../../engine/core/messages.ts';
import type { FileChange, StudioCases, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { valueIn } from '../pending.ts';

/** A text in both languages. */
export interface Both {
  readonly es: string;
  readonly pt: string;
}

/** The kinds of fields that can be added, beside those of a shared definition. */
export const fieldKinds = [
  'text',
  'paragraph',
  'number',
  'decimal',
  'date',
  'checkbox',
  'choice',
  'choices',
  'file',
] as const;
export type FieldKind = (typeof fieldKinds)[number];

/** A definition that several screens share, with its label in each language: its fields need no rule and no text of their own. */
export interface SharedKind {
  /** Of `$ref`, from a screen's folder. */
  readonly reference: string;
  readonly label: Both;
}

/** The shared definitions with a label, which are fields as they stand. */
export function sharedKinds(set: StudioSet): readonly SharedKind[] {
  return set.shared.definitions.flatMap((reference) => {
    const [path = '', pointer = ''] = reference.replace('../', 'schemas/').split('#');
    const labelIn = (file: string): string | undefined => {
      let at = pointer;
      for (let depth = 0; depth < 5; depth += 1) {
        const own = valueIn(set, file, `${at}/ui/ui:title`);
        const behind = valueIn(set, path, `${at}/$ref`);
        if (typeof own === 'string') return own;
        if (typeof behind !== 'string' || !behind.startsWith('#')) return undefined;
        at = behind.slice(1); // of the same file
      }
      return undefined;
    };
    const [es, pt] = [labelIn(path), labelIn(path.replace(/json$/, 'pt.json'))];
    return es === undefined || pt === undefined ? [] : [{ reference, label: { es, pt } }];
  });
}

/** The rules that a new field can have. */
export const fieldRules = ['none', 'maxLength', 'minLength', 'digits', 'pattern', 'minimum', 'maximum'] as const;
export type FieldRule = (typeof fieldRules)[number];

/** A field that is to be added. */
export interface NewField {
  readonly name: string;
  readonly kind: FieldKind;
  /** The definition that says all of it; `kind` says nothing then. */
  readonly shared: SharedKind | null;
  readonly label: Both;
  readonly help: Both;
  readonly required: boolean;
  readonly rule: FieldRule;
  /** The limit, or the pattern. */
  readonly parameter: string;
  /** Without one the message of the catalogue stands. */
  readonly message: Both;
  /** Choices as they are sent, a line each, and their names in each language. */
  readonly choices: readonly { readonly value: string; readonly es: string; readonly pt: string }[];
  /** A value that the rules take, and one that they refuse. */
  readonly good: string;
  readonly bad: string;
  /** Number of the section that it goes into; null: none. */
  readonly section: number | null;
}

/** The files of a screen. */
export function filesOf(screen: string) {
  const path = (name: string) => `schemas/${screen}/${name}.json`;
  return { schema: path('schema'), ui: path('ui'), pt: path('ui.pt') };
}

/** The fields of a screen in the order of its schema, each with its own schema. */
export function fieldsOf(set: StudioSet, screen: string): Readonly<Record<string, JsonObject>> {
  const properties = valueIn(set, filesOf(screen).schema, '/properties');
  return isObject(properties) ? (properties as Readonly<Record<string, JsonObject>>) : {};
}

/** Everything that a new field needs: its rules, its texts in both languages, and a case that is refused; where it is required, its value in the cases that were there. */
export function addField(set: StudioSet, screen: string, field: NewField, cases: StudioCases): readonly FileChange[] {
  const { schema, ui, pt } = filesOf(screen);
  const { name } = field;
  const at = `/fields/${escapePointer(name)}`;
  const isCaptcha = Object.hasOwn(fieldsOf(set, screen), 'captcha_response');
  const before = isCaptcha ? { before: 'captcha_response' } : {};
  const own = { pointer: `/properties/${escapePointer(name)}`, value: schemaOf(field) };
  const isNew = !set.files[schema];
  const schemaEdits: readonly StudioEdit[] = isNew
    ? [{ pointer: '', value: newSchema(field) }]
    : [{ ...own, ...before }, ...(field.required ? requiredEdits(set, screen, name, true) : [])];
  const message = keywordOf(field.rule);
  const textEdits = (language: 'es' | 'pt'): readonly StudioEdit[] => [
    ...(Object.keys(uiOf(field, language)).length === 0 ? [] : [{ pointer: at, value: uiOf(field, language) }]),
    ...(field.message[language] === '' || message === ''
      ? []
      : [{ pointer: `/messages/${escapePointer(name)}/${message}`, value: field.message[language] }]),
  ];
  const uiEdits = [...textEdits('es'), ...sectionEdits(set, ui, field, isCaptcha)];
  const bad: JsonObject = {
    note: t('refusedCase', { field: field.label.es }),
    with: { [name]: valueOf(field, field.bad) },
    errors: { [name]: messageOf(set, field) },
  };
  const good = { pointer: `data/${escapePointer(name)}`, value: valueOf(field, field.good) };
  const caseEdits: readonly StudioEdit[] = [
    ...(field.required
      ? [
          { ...good, pointer: `/${good.pointer}` },
          ...cases.list
            .filter(({ ownData }) => ownData)
            .map((own) => ({ ...good, pointer: `/cases/${escapePointer(own.name)}/${good.pointer}` })),
        ]
      : []),
    ...(field.rule === 'none' ? [] : [{ pointer: `/cases/${escapePointer(caseName(cases, field))}`, value: bad }]),
  ];
  return [
    { file: schema, base: set.files[schema]?.version ?? null, edits: schemaEdits },
    ...(uiEdits.length === 0 ? [] : [{ file: ui, base: set.files[ui]?.version ?? null, edits: uiEdits }]),
    ...(textEdits('pt').length === 0
      ? []
      : [{ file: pt, base: set.files[pt]?.version ?? null, edits: textEdits('pt') }]),
    ...(caseEdits.length === 0 ? [] : [{ file: cases.file, base: cases.version, edits: caseEdits }]),
  ];
}

/** Makes a field required, or not. */
export function requiredEdits(set: StudioSet, screen: string, name: string, required: boolean): readonly StudioEdit[] {
  const list = valueIn(set, filesOf(screen).schema, '/required');
  const names = Array.isArray(list) ? (list as readonly string[]) : []; // its format is checked
  const index = names.indexOf(name);
  if (!required) return index < 0 ? [] : [{ pointer: names.length === 1 ? '/required' : `/required/${index}` }];
  if (index >= 0) return [];
  if (names.length === 0) return [{ pointer: '/required', value: [name], before: 'properties' }];
  const captcha = names.indexOf('captcha_response');
  return [{ pointer: '/required/-', value: name, ...(captcha >= 0 && { before: String(captcha) }) }];
}

/** Gives a field a rule of when it is shown; undefined: always. */
export function visibleChange(set: StudioSet, screen: string, name: string, logic: Logic | undefined): FileChange {
  const { ui } = filesOf(screen);
  const rules = valueIn(set, ui, '/visible');
  const isOnly = isObject(rules) && Object.keys(rules).length === 1 && Object.hasOwn(rules, name);
  const pointer = logic === undefined && isOnly ? '/visible' : `/visible/${escapePointer(name)}`;
  return {
    file: ui,
    base: set.files[ui]?.version ?? null,
    edits: [logic === undefined ? { pointer } : { pointer, value: logic }],
  };
}

function schemaOf({ kind, shared, rule, parameter, choices }: NewField): JsonObject {
  if (shared) return { $ref: shared.reference };
  const limit = keywordOf(rule);
  const own: JsonObject =
    limit === ''
      ? {}
      : { [limit]: rule === 'digits' ? '^[0-9]+$' : rule === 'pattern' ? parameter : Number(parameter) };
  if (kind === 'checkbox') return { type: 'boolean' };
  const listed = { type: 'string', enum: choices.map(({ value }) => value) };
  if (kind === 'choice') return listed;
  if (kind === 'choices') return { type: 'array', uniqueItems: true, items: listed };
  if (kind === 'date') return { type: 'string', format: 'date' };
  if (kind === 'file') return { type: 'string', writeOnly: true, file: { maxKb: 2048 } };
  if (kind === 'number' || kind === 'decimal') return { type: kind === 'number' ? 'integer' : 'number', ...own };
  return { type: 'string', ...(limit !== 'maxLength' && { maxLength: kind === 'paragraph' ? 2000 : 200 }), ...own };
}

function newSchema(field: NewField): JsonObject {
  return {
    $schema: '../_formats/screen.schema.json',
    type: 'object',
    ...(field.required && { required: [field.name] }),
    properties: { [field.name]: schemaOf(field) },
  };
}

/** The controls of the kinds that their type alone does not draw. */
const widgets: Readonly<Partial<Record<FieldKind, string>>> = {
  paragraph: 'textarea',
  checkbox: 'checkbox',
  choice: 'radio',
  file: 'file',
};

function uiOf({ kind, shared, label, help, choices }: NewField, language: 'es' | 'pt'): JsonObject {
  const widget = (shared ? undefined : widgets[kind]) ?? '';
  return {
    ...(label[language] !== shared?.label[language] && { 'ui:title': label[language] }),
    ...(widget !== '' && language === 'es' && { 'ui:widget': widget }),
    ...(help[language] !== '' && { 'ui:help': help[language] }),
    ...(!shared && choices.length > 0 && { 'ui:enumNames': choices.map((choice) => choice[language]) }),
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

function keywordOf(rule: FieldRule): string {
  if (rule === 'none') return '';
  return rule === 'digits' ? 'pattern' : rule;
}

function messageOf(set: StudioSet, field: NewField): string {
  const keyword = keywordOf(field.rule);
  return field.message.es === ''
    ? fill(set.messages['es']?.[keyword] ?? '', { limit: field.parameter })
    : field.message.es;
}

function valueOf({ kind, shared }: NewField, typed: string): Json {
  if (shared) return typed;
  if (kind === 'checkbox') return typed === 'true';
  if (kind === 'choices') return [typed];
  return kind === 'number' || kind === 'decimal' ? Number(typed) : typed;
}

function caseName({ list }: StudioCases, { name, rule }: NewField): string {
  const plain = `${name}-${rule}`.toLowerCase().replaceAll('_', '-');
  const isFree = (candidate: string) => list.every((known) => known.name !== candidate);
  const numbered = [plain, ...Array.from({ length: 99 }, (_, index) => `${plain}-${index + 2}`)];
  return numbered.find(isFree) ?? plain;
}

/** Events that the engine raises or asks for itself. */
export const ownEvents: readonly string[] = ['submit', 'back', 'restart'];

/** The events of a screen's buttons and links that have a name of its own. */
export function eventsOf(set: StudioSet, screen: string): readonly string[] {
  const within = (value: Json | undefined): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item: Json) => within(item));
    if (!isObject(value)) return [];
    const { event, ...others } = value as JsonObject;
    return [...(typeof event === 'string' ? [event] : []), ...Object.values(others).flatMap((own) => within(own))];
  };
  return [...new Set(within(valueIn(set, filesOf(screen).ui)))].filter((name) => !ownEvents.includes(name));
}
