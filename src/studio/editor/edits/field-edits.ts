import { escapePointer, pointerSteps } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { schemaPlace, uiPlace, writtenFields } from '../fields/field-place.ts';
import { valueIn } from '../pending.ts';
import { titleOf } from '../titles.ts';
import { filesOf, type Both } from '../tasks/screen-tasks.ts';
import type { WrittenRules } from './rule-parameters.ts';

const limits = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum'],
  integer: ['minimum', 'maximum'],
  array: ['minItems', 'maxItems'],
} as const;

export const fieldTexts = ['ui:title', 'ui:help', 'ui:placeholder'] as const;

/** Place that defines a field: the screen's own files, or a shared definition. */
export interface FieldHome {
  /** File and name of the shared definition. Empty for the screen's own files. */
  readonly name: string;
  readonly screens: readonly string[];
  /** Places of the rules, and of texts and messages in each language. */
  readonly rules: Place;
  readonly ui: Readonly<Record<keyof Both, Place>>;
  readonly messages: Readonly<Record<keyof Both, Place>>;
}

interface Place {
  readonly file: string;
  readonly pointer: string;
}

/** Editable properties of a field, as texts. Empty if this place does not define them. */
export interface TypedField {
  readonly rules: Readonly<Record<string, string>>;
  readonly plugins: WrittenRules;
  readonly messages: Readonly<Record<string, Both>>;
  readonly texts: Readonly<Record<(typeof fieldTexts)[number], Both>>;
  readonly widget: string;
  /** One link per line: address = Spanish = Portuguese. */
  readonly links: string;
  /** One choice per line: value = Spanish = Portuguese. Empty if this place does not list any. */
  readonly choices: string;
}

/** Returns the places that define a field: the screen's own files, then the definitions that it refers to, outermost first. */
export function homesOf(set: StudioSet, screen: string, field: string): readonly FieldHome[] {
  const { schema, ui, pt } = filesOf(screen);
  const key = escapePointer(field);
  const at = uiPlace(field);
  const own: FieldHome = {
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
      let at = referredTo(set, { file: filesOf(screen).schema, pointer: schemaPlace(set, screen, field) });
      for (let depth = 0; at && depth < 9; depth += 1) {
        if (at.file === file && at.pointer === pointer) return true;
        at = referredTo(set, at);
      }
      return false;
    }),
  );
}

export function screenTitles(set: StudioSet, screens: readonly string[]): string {
  return screens.map((screen) => titleOf(set, screen)).join(', ');
}

/** Returns the JSON Schema type of a field, or an empty string if none of its places defines it. */
export function typeOf(set: StudioSet, homes: readonly FieldHome[]): string {
  const types = homes.map(({ rules }) => valueIn(set, rules.file, `${rules.pointer}/type`));
  return String(types.find((own) => own !== undefined) ?? '');
}

/** Whether the field lists its choices. Limits of length do not apply then. */
export function hasChoices(set: StudioSet, homes: readonly FieldHome[]): boolean {
  return homes.some(({ rules }) => valueIn(set, rules.file, `${rules.pointer}/enum`) !== undefined);
}

export function limitsOf(type: string): readonly string[] {
  return limits[type as keyof typeof limits] ?? [];
}

export function typedIn(
  set: StudioSet,
  home: FieldHome,
  keywords: readonly string[],
  plugins: readonly string[],
): TypedField {
  const said = ({ file, pointer }: Place, key: string): string => {
    const value = valueIn(set, file, `${pointer}/${escapePointer(key)}`);
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  };
  const both = (place: Readonly<Record<keyof Both, Place>>, key: string): Both => ({
    es: said(place.es, key),
    pt: said(place.pt, key),
  });
  const links = valueIn(set, home.ui.es.file, `${home.ui.es.pointer}/ui:links`);
  const named = valueIn(set, home.ui.pt.file, `${home.ui.pt.pointer}/ui:links`);
  return {
    rules: Object.fromEntries(keywords.map((key) => [key, said(home.rules, key)])),
    plugins: Object.fromEntries(
      plugins.flatMap((key) => {
        const value = valueIn(set, home.rules.file, `${home.rules.pointer}/${escapePointer(key)}`);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
    messages: Object.fromEntries(['required', ...keywords, ...plugins].map((key) => [key, both(home.messages, key)])),
    texts: {
      'ui:title': both(home.ui, 'ui:title'),
      'ui:help': both(home.ui, 'ui:help'),
      'ui:placeholder': both(home.ui, 'ui:placeholder'),
    },
    widget: said(home.ui.es, 'ui:widget'),
    links: (Array.isArray(links) ? links : [])
      .flatMap((link: Json) => {
        if (!isObject(link)) return [];
        const to = String(link['to']);
        const pt = isObject(named) ? (named as JsonObject)[to] : undefined;
        return `${to} = ${String(link['text'])} = ${typeof pt === 'string' ? pt : ''}`;
      })
      .join('\n'),
    choices: choicesIn(set, home),
  };
}

/** Returns the `enum` of a field with a single choice or several. */
function listOf(set: StudioSet, { rules }: FieldHome): (Place & { readonly list: readonly Json[] }) | null {
  for (const pointer of [rules.pointer, `${rules.pointer}/items`]) {
    const list = valueIn(set, rules.file, `${pointer}/enum`);
    if (Array.isArray(list)) return { file: rules.file, pointer, list: list as readonly Json[] };
  }
  return null;
}

function choicesIn(set: StudioSet, home: FieldHome): string {
  const [es, pt] = [namesIn(set, home.ui.es), namesIn(set, home.ui.pt)];
  return (listOf(set, home)?.list ?? [])
    .map((value, index) => [String(value), es?.[index], pt?.[index]].filter((part) => part !== undefined).join(' = '))
    .join('\n');
}

function namesIn(set: StudioSet, { file, pointer }: Place): readonly string[] | null {
  const names = valueIn(set, file, `${pointer}/ui:enumNames`);
  return Array.isArray(names) ? names.map(String) : null;
}

export function fieldEdits(
  set: StudioSet,
  home: FieldHome,
  before: TypedField,
  now: TypedField,
): readonly FileChange[] {
  const edits = new Map<string, StudioEdit[]>();
  const change = ({ file, pointer }: Place, key: string, value: Json | undefined): void => {
    const at = `${pointer}/${escapePointer(key)}`;
    edits.set(file, [...(edits.get(file) ?? []), value === undefined ? { pointer: at } : { pointer: at, value }]);
  };
  const text = (place: Place, key: string, [was, is]: readonly [string, string]): void => {
    if (was !== is) change(place, key, is === '' ? undefined : is);
  };
  const both = (place: Readonly<Record<keyof Both, Place>>, key: string, was: Both, is: Both): void => {
    text(place.es, key, [was.es, is.es]);
    text(place.pt, key, [was.pt, is.es === '' && was.es !== '' ? '' : is.pt]); // without a Spanish text there is no translation
  };
  for (const [key, value] of Object.entries(now.rules))
    if (value !== before.rules[key]) change(home.rules, key, value === '' ? undefined : limitOf(key, value));
  for (const key of Object.keys({ ...before.plugins, ...now.plugins })) {
    const is = now.plugins[key];
    if (JSON.stringify(is) !== JSON.stringify(before.plugins[key])) change(home.rules, key, is);
  }
  const none: Both = { es: '', pt: '' };
  for (const [key, own] of Object.entries(now.messages)) both(home.messages, key, before.messages[key] ?? none, own);
  for (const key of fieldTexts) both(home.ui, key, before.texts[key], now.texts[key]);
  text(home.ui.es, 'ui:widget', [before.widget, now.widget]);
  if (before.links !== now.links) {
    const links = partsOf(now.links);
    const isGone = links.length === 0;
    change(home.ui.es, 'ui:links', isGone ? undefined : links.map(([to = '', es = '']) => ({ to, text: es })));
    change(home.ui.pt, 'ui:links', isGone ? undefined : Object.fromEntries(links.map(([to, , pt = '']) => [to, pt])));
  }
  const place = before.choices === now.choices ? null : listOf(set, home);
  if (place) {
    const lines = partsOf(now.choices);
    const isNumber = typeof place.list[0] === 'number';
    change(
      place,
      'enum',
      lines.map(([value = '']) => (isNumber ? Number(value) : value)),
    );
    const isNamed = namesIn(set, home.ui.es) !== null || lines.some(({ length }) => length > 1);
    if (isNamed)
      change(
        home.ui.es,
        'ui:enumNames',
        lines.map(([value = '', es = value]) => es),
      );
    if (isNamed)
      change(
        home.ui.pt,
        'ui:enumNames',
        lines.map(([value = '', es = value, pt = es]) => pt),
      );
  }
  return [...edits].map(([file, own]) => ({
    file,
    base: set.files[file]?.version ?? null,
    edits: own.map((edit) => {
      if (edit.value !== undefined) return edit;
      const whole = removal(set, file, edit.pointer);
      const isFilled = own.some(({ pointer, value }) => value !== undefined && pointer.startsWith(`${whole.pointer}/`));
      return isFilled ? edit : whole;
    }),
  }));
}

export function withEdits(set: StudioSet, changes: readonly FileChange[], file: string, more: readonly StudioEdit[]) {
  if (more.length === 0) return changes;
  const own = changes.find((change) => change.file === file) ?? {
    file,
    base: set.files[file]?.version ?? null,
    edits: [],
  };
  return [...changes.filter((change) => change.file !== file), { ...own, edits: [...(own.edits ?? []), ...more] }];
}

/** Splits each line at its equals signs. */
export function partsOf(lines: string): readonly (readonly string[])[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('=').map((part) => part.trim()));
}

function limitOf(keyword: string, typed: string): Json {
  return keyword === 'pattern' || keyword === 'format' ? typed : Number(typed);
}

/** Removes a value, and its parent objects if they become empty. */
export function removal(set: StudioSet, file: string, pointer: string): StudioEdit {
  const around = pointer.slice(0, pointer.lastIndexOf('/'));
  const holder = valueIn(set, file, around);
  const isAlone = isObject(holder) && Object.keys(holder).length === 1 && pointerSteps(around).length > 1;
  return isAlone ? removal(set, file, around) : { pointer };
}
