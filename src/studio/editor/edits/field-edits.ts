import { escapePointer, splitPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { asListOrEmpty, asTextOrEmpty } from '../../json-values.ts';
import type { FileChange, JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { buildFieldSchemaPointer, listSchemaFields } from '../fields/field-pointers.ts';
import {
  buildFileChanges,
  createValueEdit,
  deriveKeyFromLabel,
  buildScreenFilePaths,
  emptyBilingualText,
  readFileObject,
  readFileValue,
  type BilingualText,
} from '../definition-set.ts';
import { resolveScreenTitle } from '../titles.ts';
import { buildUiPointer } from '../../../engine/core/field-path.ts';

const limits = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
} as const;

export const fieldTextKeys = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

interface FieldDefinition {
  /** File and name of a shared definition. Empty for the screen's own definition. */
  readonly name: string;
  readonly screens: readonly string[];
  readonly rules: FileLocation;
  readonly ui: LocationByLanguage;
  readonly messages: LocationByLanguage;
}

type LocationByLanguage = Readonly<Record<keyof BilingualText, FileLocation>>;

interface FileLocation {
  readonly file: string;
  readonly pointer: string;
}

/** Editable properties of a field, as texts. An empty property is not set in this definition. */
export interface EditableField {
  readonly rules: Readonly<Record<string, string>>;
  readonly plugins: Readonly<Record<string, Json>>;
  readonly messages: Readonly<Record<string, BilingualText>>;
  readonly texts: Readonly<Record<(typeof fieldTextKeys)[number], BilingualText>>;
  readonly widget: string;
  /** One link per line: URL = Spanish text = Portuguese text. */
  readonly links: string;
  /** One choice per line: value = Spanish label = Portuguese label. Empty if this definition lists no choices. */
  readonly choices: string;
}

/** Returns the screen's own definition, followed by the shared definitions that its `$ref`s refer to. */
export function listFieldDefinitions(set: StudioDefinitions, screen: string, field: string) {
  const { schema, ui, pt } = buildScreenFilePaths(screen);
  const key = escapePointer(field);
  const at = buildUiPointer(field);
  const own: FieldDefinition = {
    name: '',
    screens: [screen],
    rules: { file: schema, pointer: buildFieldSchemaPointer(set, screen, field) },
    ui: { es: { file: ui, pointer: at }, pt: { file: pt, pointer: at } },
    messages: { es: { file: ui, pointer: `/messages/${key}` }, pt: { file: pt, pointer: `/messages/${key}` } },
  };
  const homes = [own];
  for (const place of listReferencedDefinitions(set, own.rules)) {
    const { file, pointer } = place;
    if (!file.startsWith('schemas/_shared/')) continue; // skips definitions in the screen's own file, because they have no texts
    const within = (part: string) => {
      const at = { file, pointer: `${pointer}/${part}` };
      return { es: at, pt: { ...at, file: file.replace(/\.json$/, '.pt.json') } };
    };
    homes.push({
      name: `${file.slice('schemas/_shared/'.length)} ${splitPointer(pointer).at(-1)}`,
      screens: listScreensWith(set, place),
      rules: place,
      ui: within('ui'),
      messages: within('messages'),
    });
  }
  return homes;
}

/** Returns the definitions that a `$ref` chain refers to. Stops at a cycle, which the compiler reports. */
function listReferencedDefinitions(set: StudioDefinitions, start: FileLocation): readonly FileLocation[] {
  const found: FileLocation[] = [];
  const isKnown = ({ file, pointer }: FileLocation) =>
    found.some((own) => own.file === file && own.pointer === pointer);
  for (let at = resolveReference(set, start); at && !isKnown(at); at = resolveReference(set, at)) found.push(at);
  return found;
}

function resolveReference(set: StudioDefinitions, { file, pointer }: FileLocation): FileLocation | null {
  const reference = readFileValue(set, file, `${pointer}/$ref`);
  if (typeof reference !== 'string') return null;
  const [path = '', at = ''] = reference.split('#');
  const shared = `schemas/_shared/${path.slice(path.lastIndexOf('/') + 1)}`;
  return { file: path === '' ? file : shared, pointer: at };
}

function listScreensWith(set: StudioDefinitions, { file, pointer }: FileLocation): readonly string[] {
  return Object.keys(set.fields).filter((screen) =>
    Object.keys(listSchemaFields(set, screen)).some((field) => {
      const start = {
        file: buildScreenFilePaths(screen).schema,
        pointer: buildFieldSchemaPointer(set, screen, field),
      };
      return listReferencedDefinitions(set, start).some((at) => at.file === file && at.pointer === pointer);
    }),
  );
}

export function formatScreenTitles(set: StudioDefinitions, screens: readonly string[]): string {
  return screens.map((screen) => resolveScreenTitle(set, screen)).join(', ');
}

export function resolveFieldType(set: StudioDefinitions, homes: readonly FieldDefinition[]): string {
  const types = homes.map(({ rules }) => readFileValue(set, rules.file, `${rules.pointer}/type`));
  return String(types.find((own) => own !== undefined) ?? '');
}

/** Whether a field has a list of choices. Length limits do not apply to a field with choices. */
export function fieldHasChoices(set: StudioDefinitions, homes: readonly FieldDefinition[]): boolean {
  return homes.some(({ rules }) => readFileValue(set, rules.file, `${rules.pointer}/enum`) !== undefined);
}

export function listLimitKeywords(type: string): readonly string[] {
  return limits[type as keyof typeof limits] ?? [];
}

export function readEditableField(
  set: StudioDefinitions,
  home: FieldDefinition,
  keywords: readonly string[],
  plugins: readonly string[],
): EditableField {
  const text = (place: FileLocation, key: string): string => {
    const value = findValue(set, place, key);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const both = ({ es, pt }: LocationByLanguage, key: string): BilingualText => ({
    es: text(es, key),
    pt: text(pt, key),
  });
  const translated = asObject(findValue(set, home.ui.pt, 'ui:links'));
  return {
    rules: Object.fromEntries(keywords.map((key) => [key, text(home.rules, key)])),
    plugins: Object.fromEntries(
      plugins.flatMap((key) => {
        const value = findValue(set, home.rules, key);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
    messages: Object.fromEntries(['required', ...keywords, ...plugins].map((key) => [key, both(home.messages, key)])),
    texts: {
      'ui:title': both(home.ui, 'ui:title'),
      'ui:help': both(home.ui, 'ui:help'),
      'ui:placeholder': both(home.ui, 'ui:placeholder'),
    },
    widget: text(home.ui.es, 'ui:widget'),
    links: asListOrEmpty(findValue(set, home.ui.es, 'ui:links'))
      .map(asObject)
      .map((link) => [link['to'], link['text'], asTextOrEmpty(translated[asTextOrEmpty(link['to'])])].join(' = '))
      .join('\n'),
    choices: formatChoices(set, home),
  };
}

function findValue(set: StudioDefinitions, { file, pointer }: FileLocation, key: string): Json | undefined {
  return readFileValue(set, file, `${pointer}/${escapePointer(key)}`);
}

function findEnum(set: StudioDefinitions, { rules }: FieldDefinition) {
  for (const pointer of [rules.pointer, `${rules.pointer}/items`]) {
    const list = readFileValue(set, rules.file, `${pointer}/enum`);
    if (Array.isArray(list)) return { file: rules.file, pointer, list: list as readonly Json[] };
  }
  return null;
}

function formatChoices(set: StudioDefinitions, home: FieldDefinition): string {
  const [es, pt] = [home.ui.es, home.ui.pt].map((place) => asListOrEmpty(findValue(set, place, 'ui:enumNames')));
  return (findEnum(set, home)?.list ?? [])
    .map((value, index) => [value, es?.[index], pt?.[index]].filter((part) => part !== undefined).join(' = '))
    .join('\n');
}

export function createFieldEdits(
  set: StudioDefinitions,
  home: FieldDefinition,
  before: EditableField,
  now: EditableField,
): readonly FileChange[] {
  const edits = new Map<string, JsonEdit[]>();
  const change = ({ file, pointer }: FileLocation, key: string, value: Json | undefined): void => {
    edits.set(file, [...(edits.get(file) ?? []), createValueEdit(`${pointer}/${escapePointer(key)}`, value)]);
  };
  const text = (place: FileLocation, key: string, was: string, is: string): void => {
    if (was !== is) change(place, key, is === '' ? undefined : is);
  };
  const both = ({ es, pt }: LocationByLanguage, key: string, was: BilingualText, is: BilingualText): void => {
    text(es, key, was.es, is.es);
    text(pt, key, was.pt, is.es === '' && was.es !== '' ? '' : is.pt); // removes the translation if the Spanish text was removed
  };
  for (const [key, value] of Object.entries(now.rules)) {
    const limit = key === 'pattern' || key === 'format' ? value : Number(value);
    if (value !== before.rules[key]) change(home.rules, key, value === '' ? undefined : limit);
  }
  for (const key of Object.keys({ ...before.plugins, ...now.plugins })) {
    const is = now.plugins[key];
    if (JSON.stringify(is) !== JSON.stringify(before.plugins[key])) change(home.rules, key, is);
  }
  for (const [key, own] of Object.entries(now.messages))
    both(home.messages, key, before.messages[key] ?? emptyBilingualText, own);
  for (const key of fieldTextKeys) both(home.ui, key, before.texts[key], now.texts[key]);
  text(home.ui.es, 'ui:widget', before.widget, now.widget);
  if (before.links !== now.links) {
    const links = splitLinesAtEqualsSigns(now.links);
    const isGone = links.length === 0;
    change(home.ui.es, 'ui:links', isGone ? undefined : links.map(([to = '', es = '']) => ({ to, text: es })));
    change(home.ui.pt, 'ui:links', isGone ? undefined : Object.fromEntries(links.map(([to, , pt = '']) => [to, pt])));
  }
  const place = before.choices === now.choices ? null : findEnum(set, home);
  if (place) {
    const choices = parseChoices(now.choices, place.list);
    const isNumber = typeof place.list[0] === 'number';
    const values = choices.map(({ value }) => (isNumber ? Number(value) : value));
    change(place, 'enum', values);
    if (findValue(set, home.ui.es, 'ui:enumNames') !== undefined || choices.some(({ isLabelled }) => isLabelled)) {
      const labels = (language: keyof BilingualText) => choices.map((choice) => choice[language]);
      change(home.ui.es, 'ui:enumNames', labels('es'));
      change(home.ui.pt, 'ui:enumNames', labels('pt'));
    }
  }
  return [...edits].flatMap(([file, own]) => {
    const filled = own.filter(({ value }) => value !== undefined);
    const whole = own.map((edit) => {
      if (edit.value !== undefined) return edit;
      const emptied = createValueRemovalEdit(set, file, edit.pointer);
      return filled.some(({ pointer }) => pointer.startsWith(`${emptied.pointer}/`)) ? edit : emptied;
    });
    return buildFileChanges(set, file, whole);
  });
}

export function appendFileEdits(
  set: StudioDefinitions,
  changes: readonly FileChange[],
  file: string,
  more: readonly JsonEdit[],
) {
  const own = changes.find((change) => change.file === file);
  const edits = [...(own?.edits ?? []), ...more];
  return [...changes.filter((change) => change !== own), ...buildFileChanges(set, file, edits)];
}

export function splitLinesAtEqualsSigns(lines: string): readonly (readonly string[])[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('=').map((part) => part.trim()));
}

/** Parses choices, one per line. Derives a value such as `manana` if a line has only a text, or a value with spaces or accents that is not in `known`. */
export function parseChoices(lines: string, known: readonly unknown[] = []) {
  return splitLinesAtEqualsSigns(lines).map((parts) => {
    const [typed = '', es = typed, pt = es] = parts;
    const isValue = (parts.length === 1 ? /^[a-z\d]+(?:[_.-][a-z\d]+)*$/ : /^[\w.-]+$/).test(typed);
    const isKept = isValue || known.some((value) => String(value) === typed);
    return {
      value: isKept ? typed : deriveKeyFromLabel(typed, '_') || typed,
      es,
      pt,
      isLabelled: parts.length > 1 || !isKept,
    };
  });
}

/** Returns an edit that removes a value, and its parent objects if they become empty. */
export function createValueRemovalEdit(set: StudioDefinitions, file: string, pointer: string): JsonEdit {
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  const isAlone = Object.keys(readFileObject(set, file, around)).length === 1 && splitPointer(around).length > 1;
  return isAlone ? createValueRemovalEdit(set, file, around) : { pointer };
}
