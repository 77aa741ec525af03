import { escapePointer, pointerSteps } from '../../../engine/core/json-pointer.ts';
import { asObject, type Json } from '../../../engine/core/json.ts';
import { asList, asText } from '../../json-parts.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { schemaPlace, uiPlace, writtenFields } from '../fields/field-place.ts';
import { buildFileChanges, editAt, resolveScreenFiles, noText, objectIn, valueIn, type Both } from '../files.ts';
import { resolveScreenTitle } from '../titles.ts';

const limits = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
} as const;

export const fieldTexts = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

/** Definition of a field: in the screen's own files, or in a shared definition. */
interface FieldDefinition {
  /** File and name of the shared definition. Empty for the screen's own files. */
  readonly name: string;
  readonly screens: readonly string[];
  readonly rules: Place;
  readonly ui: Places;
  readonly messages: Places;
}

type Places = Readonly<Record<keyof Both, Place>>;

interface Place {
  readonly file: string;
  readonly pointer: string;
}

/** Editable properties of a field, as texts. Empty if this definition does not set them. */
export interface TypedField {
  readonly rules: Readonly<Record<string, string>>;
  readonly plugins: Readonly<Record<string, Json>>;
  readonly messages: Readonly<Record<string, Both>>;
  readonly texts: Readonly<Record<(typeof fieldTexts)[number], Both>>;
  readonly widget: string;
  /** One link per line: address = Spanish = Portuguese. */
  readonly links: string;
  /** One choice per line: value = Spanish = Portuguese. Empty if this definition does not list any. */
  readonly choices: string;
}

/** Returns the definitions of a field: the screen's own files, then the definitions that it refers to, outermost first. */
export function listFieldDefinitions(set: StudioSet, screen: string, field: string): readonly FieldDefinition[] {
  const { schema, ui, pt } = resolveScreenFiles(screen);
  const key = escapePointer(field);
  const at = uiPlace(field);
  const own: FieldDefinition = {
    name: '',
    screens: [screen],
    rules: { file: schema, pointer: schemaPlace(set, screen, field) },
    ui: { es: { file: ui, pointer: at }, pt: { file: pt, pointer: at } },
    messages: { es: { file: ui, pointer: `/messages/${key}` }, pt: { file: pt, pointer: `/messages/${key}` } },
  };
  const homes = [own];
  for (let place = referredTo(set, own.rules); place; place = referredTo(set, place)) {
    const { file, pointer } = place;
    if (homes.some(({ rules }) => rules.file === file && rules.pointer === pointer)) break; // circular reference, which the compiler reports
    if (!file.startsWith('schemas/_shared/')) continue; // definitions within the screen have no texts
    const within = (part: string) => {
      const at = { file, pointer: `${pointer}/${part}` };
      return { es: at, pt: { ...at, file: file.replace(/\.json$/, '.pt.json') } };
    };
    homes.push({
      name: `${file.slice('schemas/_shared/'.length)} ${pointerSteps(pointer).at(-1)}`,
      screens: screensWith(set, place),
      rules: place,
      ui: within('ui'),
      messages: within('messages'),
    });
  }
  return homes;
}

function referredTo(set: StudioSet, { file, pointer }: Place): Place | null {
  const reference = valueIn(set, file, `${pointer}/$ref`);
  if (typeof reference !== 'string') return null;
  const [path = '', at = ''] = reference.split('#');
  const shared = `schemas/_shared/${path.slice(path.lastIndexOf('/') + 1)}`;
  return { file: path === '' ? file : shared, pointer: at };
}

function screensWith(set: StudioSet, { file, pointer }: Place): readonly string[] {
  return Object.keys(set.fields).filter((screen) =>
    Object.keys(writtenFields(set, screen)).some((field) => {
      let at = referredTo(set, { file: resolveScreenFiles(screen).schema, pointer: schemaPlace(set, screen, field) });
      for (let depth = 0; at && depth < 9; depth += 1) {
        if (at.file === file && at.pointer === pointer) return true;
        at = referredTo(set, at);
      }
      return false;
    }),
  );
}

export function screenTitles(set: StudioSet, screens: readonly string[]): string {
  return screens.map((screen) => resolveScreenTitle(set, screen)).join(', ');
}

export function resolveFieldType(set: StudioSet, homes: readonly FieldDefinition[]): string {
  const types = homes.map(({ rules }) => valueIn(set, rules.file, `${rules.pointer}/type`));
  return String(types.find((own) => own !== undefined) ?? '');
}

/** Whether the field lists its choices. If so, length limits do not apply to it. */
export function hasChoices(set: StudioSet, homes: readonly FieldDefinition[]): boolean {
  return homes.some(({ rules }) => valueIn(set, rules.file, `${rules.pointer}/enum`) !== undefined);
}

export function listLimitKeywords(type: string): readonly string[] {
  return limits[type as keyof typeof limits] ?? [];
}

export function typedIn(
  set: StudioSet,
  home: FieldDefinition,
  keywords: readonly string[],
  plugins: readonly string[],
): TypedField {
  const text = (place: Place, key: string): string => {
    const value = findValue(set, place, key);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const both = ({ es, pt }: Places, key: string): Both => ({ es: text(es, key), pt: text(pt, key) });
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
    links: asList(findValue(set, home.ui.es, 'ui:links'))
      .map(asObject)
      .map((link) => [link['to'], link['text'], asText(translated[asText(link['to'])])].join(' = '))
      .join('\n'),
    choices: choicesIn(set, home),
  };
}

function findValue(set: StudioSet, { file, pointer }: Place, key: string): Json | undefined {
  return valueIn(set, file, `${pointer}/${escapePointer(key)}`);
}

function findEnum(set: StudioSet, { rules }: FieldDefinition): (Place & { readonly list: readonly Json[] }) | null {
  for (const pointer of [rules.pointer, `${rules.pointer}/items`]) {
    const list = valueIn(set, rules.file, `${pointer}/enum`);
    if (Array.isArray(list)) return { file: rules.file, pointer, list: list as readonly Json[] };
  }
  return null;
}

function choicesIn(set: StudioSet, home: FieldDefinition): string {
  const [es, pt] = [home.ui.es, home.ui.pt].map((place) => asList(findValue(set, place, 'ui:enumNames')));
  return (findEnum(set, home)?.list ?? [])
    .map((value, index) => [value, es?.[index], pt?.[index]].filter((part) => part !== undefined).join(' = '))
    .join('\n');
}

export function fieldEdits(
  set: StudioSet,
  home: FieldDefinition,
  before: TypedField,
  now: TypedField,
): readonly FileChange[] {
  const edits = new Map<string, StudioEdit[]>();
  const change = ({ file, pointer }: Place, key: string, value: Json | undefined): void => {
    edits.set(file, [...(edits.get(file) ?? []), editAt(`${pointer}/${escapePointer(key)}`, value)]);
  };
  const text = (place: Place, key: string, was: string, is: string): void => {
    if (was !== is) change(place, key, is === '' ? undefined : is);
  };
  const both = ({ es, pt }: Places, key: string, was: Both, is: Both): void => {
    text(es, key, was.es, is.es);
    text(pt, key, was.pt, is.es === '' && was.es !== '' ? '' : is.pt); // removes the translation if the Spanish text was removed
  };
  for (const [key, value] of Object.entries(now.rules))
    if (value !== before.rules[key]) change(home.rules, key, value === '' ? undefined : parseLimit(key, value));
  for (const key of Object.keys({ ...before.plugins, ...now.plugins })) {
    const is = now.plugins[key];
    if (JSON.stringify(is) !== JSON.stringify(before.plugins[key])) change(home.rules, key, is);
  }
  for (const [key, own] of Object.entries(now.messages)) both(home.messages, key, before.messages[key] ?? noText, own);
  for (const key of fieldTexts) both(home.ui, key, before.texts[key], now.texts[key]);
  text(home.ui.es, 'ui:widget', before.widget, now.widget);
  if (before.links !== now.links) {
    const links = parseLines(now.links);
    const isGone = links.length === 0;
    change(home.ui.es, 'ui:links', isGone ? undefined : links.map(([to = '', es = '']) => ({ to, text: es })));
    change(home.ui.pt, 'ui:links', isGone ? undefined : Object.fromEntries(links.map(([to, , pt = '']) => [to, pt])));
  }
  const place = before.choices === now.choices ? null : findEnum(set, home);
  if (place) {
    const lines = parseLines(now.choices);
    const isNumber = typeof place.list[0] === 'number';
    const values = lines.map(([value = '']) => (isNumber ? Number(value) : value));
    const [es, pt] = [
      lines.map(([value = '', own = value]) => own),
      lines.map(([value = '', own = value, translated = own]) => translated),
    ];
    change(place, 'enum', values);
    if (findValue(set, home.ui.es, 'ui:enumNames') !== undefined || lines.some(({ length }) => length > 1)) {
      change(home.ui.es, 'ui:enumNames', es);
      change(home.ui.pt, 'ui:enumNames', pt);
    }
  }
  return [...edits].flatMap(([file, own]) => {
    const filled = own.filter(({ value }) => value !== undefined);
    const whole = own.map((edit) => {
      if (edit.value !== undefined) return edit;
      const emptied = createRemovalEdit(set, file, edit.pointer);
      return filled.some(({ pointer }) => pointer.startsWith(`${emptied.pointer}/`)) ? edit : emptied;
    });
    return buildFileChanges(set, file, whole);
  });
}

export function withEdits(set: StudioSet, changes: readonly FileChange[], file: string, more: readonly StudioEdit[]) {
  const own = changes.find((change) => change.file === file);
  const edits = [...(own?.edits ?? []), ...more];
  return [...changes.filter((change) => change !== own), ...buildFileChanges(set, file, edits)];
}

/** Splits each line at its equals signs. */
export function parseLines(lines: string): readonly (readonly string[])[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('=').map((part) => part.trim()));
}

function parseLimit(keyword: string, typed: string): Json {
  return keyword === 'pattern' || keyword === 'format' ? typed : Number(typed);
}

/** Removes a value, and its parent objects if they become empty. */
export function createRemovalEdit(set: StudioSet, file: string, pointer: string): StudioEdit {
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  const isAlone = Object.keys(objectIn(set, file, around)).length === 1 && pointerSteps(around).length > 1;
  return isAlone ? createRemovalEdit(set, file, around) : { pointer };
}
