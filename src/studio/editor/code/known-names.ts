import { isObject, type Json } from '../../../engine/core/json.ts';
import type { StudioFacts } from '../../dev-data.ts';
import type { StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { filesOf } from '../tasks/screen-tasks.ts';

/** Position in a file, with the content as currently typed. */
export interface PlaceInFile {
  readonly file: string;
  readonly path: readonly (string | number)[];
  readonly isKey: boolean;
  readonly content: unknown;
}

type Names = readonly string[];

/** Returns the names that fit at a position: states, operations, screens, notices, fields, variables, shared definitions. */
export function namesAt(place: PlaceInFile, set: StudioSet, facts: StudioFacts): Names {
  const flow = /^flows\//.test(place.file);
  const [, screen = ''] = /^schemas\/([^/]+)\//.exec(place.file) ?? [];
  if (flow) return namesInFlow(place, set, facts);
  return place.file.endsWith('/schema.json') ? namesInSchema(place, set, facts) : namesInUi(place, screen, set, facts);
}

function namesInFlow({ path, isKey, content }: PlaceInFile, set: StudioSet, { operations, flags }: StudioFacts): Names {
  const key = lastWord(path);
  const outer = lastWord(path.slice(0, -1));
  const screens = screensIn(content);
  const fields = screens.flatMap((screen) => fieldsOf(set, screen));
  if (isKey && outer === 'on') return entriesOf(set, screenAround(content, path) ?? '', 'actions');
  if (isKey && outer === 'prefill') return fieldsOf(set, screenAround(content, path) ?? '');
  if (isKey) return [];
  const variables = [...variablesIn(content).map((name) => `context.${name}`), ...fields.map((name) => `form.${name}`)];
  const known: Readonly<Record<string, Names>> = {
    target: statesIn(content),
    initial: statesIn(content),
    else: statesIn(content),
    back: [...statesIn(content), 'history', 'none'],
    state: statesIn(content),
    progress: statesIn(content),
    on: statesIn(content),
    src: Object.keys(operations),
    operation: Object.keys(operations),
    screen: Object.keys(set.texts),
    notice: [...screens.flatMap((screen) => noticesOf(set, screen)), ...set.shared.notices],
    resumed: set.shared.notices,
    refused: set.shared.notices,
    branches: keysAt(content, 'branches'),
    guard: [...keysAt(content, 'guards'), ...variables, ...flags.map((flag) => `flags.${flag}`)],
    assign: keysAt(content, 'assigns'),
    clear: fields.map((name) => `/${name.replaceAll('.', '/')}`),
  };
  const isValue = ['var', 'assign', 'params', 'input', 'prefill', 'carry', 'requires', 'guard'].some((word) =>
    path.includes(word),
  );
  return [
    ...(known[key] ?? (outer === 'on' ? statesIn(content) : [])),
    ...(isValue && key !== 'guard'
      ? [...variables, 'error.code', 'error.error', ...flags.map((flag) => `flags.${flag}`)]
      : []),
  ];
}

function namesInUi(
  { path, isKey, content }: PlaceInFile,
  screen: string,
  set: StudioSet,
  { operations, flags, widgets }: StudioFacts,
): Names {
  const key = lastWord(path);
  const fields = fieldsOf(set, screen);
  if (isKey) {
    const holder = String(path.at(-2));
    if (holder === 'actions' || holder === 'links') return entriesOf(set, screen, holder); // translations use these as keys
    return ['fields', 'visible', 'messages'].includes(holder) ? fields : [];
  }
  if (key === 'event') return eventsOnto(set, screen);
  if (key === 'ui:widget') return widgets;
  if (key === 'source') return Object.keys(operations);
  if (key === 'ui:order' || (key === 'fields' && path.includes('sections'))) return fields;
  if (key === 'var') return [...fields.map((name) => `form.${name}`), ...flags.map((flag) => `flags.${flag}`)];
  return isObject(content) && key.endsWith('Field') ? fields : [];
}

function namesInSchema(
  { path, isKey, content }: PlaceInFile,
  { shared }: StudioSet,
  { keywords, flags }: StudioFacts,
): Names {
  const key = lastWord(path);
  const fields = keysAt(content, 'properties');
  if (isKey)
    return path.at(-3) === 'properties' || path.length === 1 ? keywords : path.at(-2) === 'computed' ? fields : [];
  if (key === '$ref') return shared.definitions;
  if (key === 'required') return fields;
  if (key === 'var') return [...fields.map((name) => `form.${name}`), ...flags.map((flag) => `flags.${flag}`)];
  return keywords.includes(String(path.at(-1))) ? fields : [];
}

/** Returns the innermost key around a position. For an item of a list this is the key of the list. */
function lastWord(path: readonly (string | number)[]): string {
  return String(path.findLast((step) => typeof step === 'string') ?? '');
}

function keysAt(content: unknown, key: string): Names {
  const inner = isObject(content) ? content[key] : undefined;
  return isObject(inner) ? Object.keys(inner) : [];
}

function statesOf(content: unknown): readonly (readonly [name: string, state: Readonly<Record<string, unknown>>])[] {
  const states = isObject(content) ? content['states'] : undefined;
  return Object.entries(isObject(states) ? states : {}).flatMap(([name, state]) =>
    isObject(state) ? [[name, state] as const, ...statesOf(state)] : [],
  );
}

// Leaf states: a compound state is not entered itself.
function statesIn(content: unknown): Names {
  return statesOf(content).flatMap(([name, state]) => (state['states'] === undefined ? name : []));
}

function screensIn(content: unknown): Names {
  return [...new Set(statesOf(content).flatMap(([, { screen }]) => (typeof screen === 'string' ? screen : [])))];
}

function screenAround(content: unknown, path: readonly (string | number)[]): string | undefined {
  const name = path[path.lastIndexOf('states') + 1];
  const screen = statesOf(content).find(([known]) => known === name)?.[1]['screen'];
  return typeof screen === 'string' ? screen : undefined;
}

function variablesIn(content: unknown): Names {
  const assigned: string[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'assign')
          assigned.push(...[inner].flat().flatMap((part) => (isObject(part) ? Object.keys(part) : [])));
        look(inner);
      }
  };
  look(content);
  const context = isObject(content) && isObject(content['context']) ? content['context'] : {};
  const given = Object.values(context).flatMap((names) =>
    Array.isArray(names) ? names.map(String) : isObject(names) ? Object.keys(names) : [],
  );
  return [...new Set([...given, ...assigned])];
}

function fieldsOf(set: StudioSet, screen: string): Names {
  return namesOfFields(valueIn(set, filesOf(screen).schema, '/properties'));
}

function namesOfFields(properties: Json | undefined, within = ''): Names {
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([name, field]) => {
    const inner = isObject(field) ? (field['properties'] as Json | undefined) : undefined;
    return inner === undefined ? [within + name] : namesOfFields(inner, `${within}${name}.`);
  });
}

function noticesOf(set: StudioSet, screen: string): Names {
  const notices = valueIn(set, filesOf(screen).ui, '/notices');
  return isObject(notices) ? Object.keys(notices) : [];
}

/** Returns the events of a screen's buttons, and the events and addresses of its links. */
function entriesOf(set: StudioSet, screen: string, list: 'actions' | 'links'): Names {
  const entries = valueIn(set, filesOf(screen).ui, `/${list}`);
  return (Array.isArray(entries) ? (entries as readonly Json[]) : []).flatMap((entry) => {
    const name = isObject(entry) ? (entry['event'] ?? entry['to']) : undefined;
    return typeof name === 'string' ? name : [];
  });
}

function eventsOnto(set: StudioSet, screen: string): Names {
  const states = Object.values(set.flows).flatMap((flow) => Object.values(flow.states));
  return [
    ...new Set(
      states.filter((state) => state.screen === screen).flatMap(({ on = {} }) => [...Object.keys(on), 'back']),
    ),
  ];
}
