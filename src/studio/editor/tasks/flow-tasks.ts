import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { keyOf } from '../../key-of.ts';
import { valueIn } from '../pending.ts';
import { filesOf, type Both } from './screen-tasks.ts';
import stepActions from './step-actions.json';

/** State of a flow, with its pointer in the file. */
export interface WrittenPlace {
  readonly name: string;
  readonly pointer: string;
  readonly state: JsonObject;
}

export interface NewScreen {
  readonly screen: string;
  readonly title: Both;
  readonly intro: Both;
}

export interface NewErrorBranch {
  readonly state: string;
  /** Event that invokes the operation. `invoke` for the operation on entry. */
  readonly event: string;
  readonly code: string;
  /** Name of the notice. An existing notice keeps its text. */
  readonly notice: string;
  readonly text: Both;
  /** Target state. Empty to stay. */
  readonly target: string;
}

export function flowFile(flow: string): string {
  return `flows/${flow}.json`;
}

export function statesOf(set: StudioSet, flow: string): readonly WrittenPlace[] {
  const within = (states: Json | undefined, at: string): readonly WrittenPlace[] =>
    isObject(states)
      ? Object.entries(states as JsonObject).flatMap(([name, state]) => {
          if (!isObject(state)) return [];
          const pointer = `${at}/${escapePointer(name)}`;
          const own = state as JsonObject;
          return [{ name, pointer, state: own }, ...within(own['states'], `${pointer}/states`)];
        })
      : [];
  return within(valueIn(set, flowFile(flow), '/states'), '/states');
}

/** Derives an unused address for a new state from its title, below the address of the journey that it belongs to. */
export function addressFor(
  set: StudioSet,
  flow: string,
  { after, title }: { readonly after: string; readonly title: string },
): string {
  if (title === '') return '';
  const states = statesOf(set, flow);
  const pathOf = (name: string): string => String(states.find((own) => own.name === name)?.state['path'] ?? '');
  const own = pathOf(after) || pathOf(String(valueIn(set, flowFile(flow), '/initial'))) || `/${flow}`;
  const near = own.replace(/\/:.*/, '') || `/${flow}`; // the value of a parameter is unknown
  const above = states.map(({ name }) => pathOf(name)).filter((path) => path !== '' && near.startsWith(`${path}/`));
  const root = above.toSorted((one, other) => one.length - other.length)[0] ?? near;
  const taken = flowNames(set)
    .flatMap((name) => statesOf(set, name))
    .flatMap(({ state: { path } }) =>
      typeof path === 'string' && path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [],
    );
  return `${root}/${keyOf(title, '-', taken)}`;
}

export function flowNames(set: StudioSet): readonly string[] {
  return Object.keys(set.files).flatMap((file) => /^flows\/(.+)\.json$/.exec(file)?.[1] ?? []);
}

export function operationsOf({ state }: WrittenPlace): Readonly<Record<string, string>> {
  const events = { ...(isObject(state['on']) ? state['on'] : {}), ...(state['invoke'] && { invoke: state['invoke'] }) };
  return Object.fromEntries(
    Object.entries(events).flatMap(([event, next]) =>
      isObject(next) && typeof next['src'] === 'string' ? [[event, next['src']]] : [],
    ),
  );
}

/** Creates the files of a screen without fields, with a test case. `events` are those of its buttons. */
export function newScreen(added: NewScreen, events: readonly string[]): readonly FileChange[] {
  const { ui, pt } = filesOf(added.screen);
  const made = (path: string, value: JsonObject): FileChange => ({
    file: path,
    base: null,
    edits: [{ pointer: '', value }],
  });
  return [
    made(ui, {
      $schema: '../_formats/ui.schema.json',
      ...textsOf(added, 'es'),
      actions: stepActions.es.filter(({ event }) => events.includes(event)) as unknown as Json, // a JSON file
    }),
    made(pt, {
      $schema: '../_formats/translation.schema.json',
      ...textsOf(added, 'pt'),
      actions: Object.fromEntries(Object.entries(stepActions.pt).filter(([event]) => events.includes(event))),
    }),
    made(`tests/fixtures/${added.screen}.json`, { cases: { valid: { note: added.title.es } } }),
  ];
}

/** Changes to add a branch for an error before the existing ones, and its notice in both languages. */
export function addErrorBranch(set: StudioSet, flow: string, added: NewErrorBranch): readonly FileChange[] {
  const file = flowFile(flow);
  const states = statesOf(set, flow);
  const own = states.find(({ name }) => name === added.state);
  if (!own) return [];
  const pointer = `${own.pointer}${added.event === 'invoke' ? '/invoke' : `/on/${escapePointer(added.event)}`}/onError`;
  const branch: JsonObject = {
    guard: { 'error.code': added.code },
    ...(added.notice !== '' && { notice: added.notice }),
    ...(added.target !== '' && { target: added.target }),
  };
  const now = valueIn(set, file, pointer);
  const edit: StudioEdit =
    now === undefined
      ? { pointer, value: branch }
      : Array.isArray(now)
        ? { pointer: `${pointer}/-`, value: branch, before: '0' }
        : { pointer, value: [branch, now] };
  const shown = states.find(({ name }) => name === (added.target === '' ? added.state : added.target))?.state['screen'];
  return [
    { file, base: set.files[file]?.version ?? null, edits: [edit] },
    ...(typeof shown === 'string' && added.notice !== '' ? noticeChanges(set, shown, added) : []),
  ];
}

function noticeChanges(set: StudioSet, screen: string, { notice, text }: NewErrorBranch): readonly FileChange[] {
  const { ui, pt } = filesOf(screen);
  const pointer = `/notices/${escapePointer(notice)}`;
  if (valueIn(set, ui, pointer) !== undefined) return [];
  const change = (file: string, value: JsonObject): FileChange => ({
    file,
    base: set.files[file]?.version ?? null,
    edits: [{ pointer, value }],
  });
  return [change(ui, { intent: 'error', text: text.es }), change(pt, { text: text.pt })];
}

export interface Journey {
  readonly pointer: string;
  readonly steps: readonly string[];
}

export function journeysOf(progress: Json | undefined): readonly Journey[] {
  const journey = (own: Json, pointer: string): readonly Journey[] =>
    Array.isArray(own) ? [{ pointer, steps: own.map((one: Json) => String(isObject(one) ? one['state'] : one)) }] : [];
  if (!isObject(progress)) return journey(progress ?? null, '/progress');
  return Object.entries(progress as JsonObject).flatMap(([name, own]) =>
    journey(own, `/progress/${escapePointer(name)}`),
  );
}

/** Returns the transitions of a state with pointers, including the redirect if its requirements are not met. */
export function transitionsOf({ pointer, state }: WrittenPlace): readonly (readonly [pointer: string, own: Json])[] {
  const within = (part: Json | undefined, at: string) =>
    isObject(part)
      ? Object.entries(part as JsonObject).map(([key, own]) => [`${at}/${escapePointer(key)}`, own] as const)
      : [];
  const { on, after, always, invoke, requires } = state;
  const single = [
    [`${pointer}/always`, always],
    [`${pointer}/invoke`, invoke],
    [`${pointer}/requires/else`, isObject(requires) ? (requires as JsonObject)['else'] : undefined],
  ] as const;
  return [
    ...within(on, `${pointer}/on`),
    ...within(after, `${pointer}/after`),
    ...single.flatMap(([at, own]) => (own === undefined ? [] : [[at, own] as const])),
  ];
}

export function leadsTo(state: string, own: Json | undefined, pointer: string): readonly string[] {
  if (own === state) return [pointer];
  if (Array.isArray(own)) return own.flatMap((one: Json, index) => leadsTo(state, one, `${pointer}/${index}`));
  if (!isObject(own)) return [];
  const { branches, ...others } = own as JsonObject;
  return [
    ...['target', 'onDone', 'onError'].flatMap((key) => leadsTo(state, others[key], `${pointer}/${key}`)),
    // Skip named branches, which states share.
    ...(Array.isArray(branches) ? leadsTo(state, branches, `${pointer}/branches`) : []),
  ];
}

function textsOf({ title, intro }: NewScreen, language: keyof Both): JsonObject {
  return { title: title[language], ...(intro[language] !== '' && { intro: intro[language] }) };
}
