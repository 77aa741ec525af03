import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { listJsonChildren } from '../../json-values.ts';
import {
  deriveKeyFromLabel,
  buildScreenFilePaths,
  buildFlowFilePath,
  listFlowIds,
  readFileValue,
  type BilingualText,
} from '../definition-set.ts';
import type { FileChange, StudioDefinitions } from '../../studio-api-types.ts';
import stepActions from './step-actions.json';

export interface LocatedState {
  readonly name: string;
  readonly pointer: string;
  readonly state: JsonObject;
}

export function listFlowStates(set: StudioDefinitions, flow: string): readonly LocatedState[] {
  const within = (states: Json | undefined, at: string): readonly LocatedState[] =>
    listJsonChildren(states, at).flatMap(([name, own, pointer]) => {
      const state = asObject(own);
      return [{ name, pointer, state }, ...within(state['states'], `${pointer}/states`)];
    });
  return within(readFileValue(set, buildFlowFilePath(flow), '/states'), '/states');
}

export function listStateOperations({ state }: LocatedState): Readonly<Record<string, string>> {
  const events = { ...asObject(state['on']), ...(state['invoke'] && { invoke: state['invoke'] }) };
  return Object.fromEntries(
    Object.entries(events).flatMap(([event, next]) => {
      const { src } = asObject(next);
      return typeof src === 'string' ? [[event, src]] : [];
    }),
  );
}

export interface ProgressStepList {
  readonly pointer: string;
  readonly steps: readonly string[];
}

export function listProgressStepLists(progress: Json | undefined, pointer = '/progress'): readonly ProgressStepList[] {
  if (!Array.isArray(progress))
    return listJsonChildren(progress, pointer).flatMap(([, own, at]) => listProgressStepLists(own, at));
  return [{ pointer, steps: progress.map((one: Json) => String(isObject(one) ? one['state'] : one)) }];
}

export function listStateTransitions({
  pointer,
  state,
}: LocatedState): readonly (readonly [pointer: string, own: Json])[] {
  const { on, after, always, invoke, requires } = state;
  const single = { always, invoke, 'requires/else': asObject(requires)['else'] };
  return [
    ...[...listJsonChildren(on, `${pointer}/on`), ...listJsonChildren(after, `${pointer}/after`)].map(
      ([, own, at]) => [at, own] as const,
    ),
    ...Object.entries(single).flatMap(([key, own]) => (own === undefined ? [] : [[`${pointer}/${key}`, own] as const])),
  ];
}

/** Lists the transitions outside states: named branches, the default `onDone` and `onError` of operations, and the flow's default `onError`. */
export function listSharedTransitions(set: StudioDefinitions, flow: string): ReturnType<typeof listStateTransitions> {
  const { branches, operations, onError } = asObject(readFileValue(set, buildFlowFilePath(flow)));
  const ofOperations = listJsonChildren(operations, '/operations').flatMap(([, operation, at]) =>
    listJsonChildren(operation, at).filter(([key]) => key === 'onDone' || key === 'onError'),
  );
  return [
    ...(onError === undefined ? [] : [['/onError', onError] as const]),
    ...[...listJsonChildren(branches, '/branches'), ...ofOperations].map(([, own, at]) => [at, own] as const),
  ];
}

export function listPointersToState(state: string, own: Json | undefined, pointer: string): readonly string[] {
  if (own === state) return [pointer];
  if (Array.isArray(own))
    return own.flatMap((one: Json, index) => listPointersToState(state, one, `${pointer}/${index}`));
  if (!isObject(own)) return [];
  const { branches, ...others } = asObject(own);
  return [
    ...['target', 'onDone', 'onError'].flatMap((key) => listPointersToState(state, others[key], `${pointer}/${key}`)),
    // Skips `branches` with a name, because several states share these branches.
    ...(Array.isArray(branches) ? listPointersToState(state, branches, `${pointer}/branches`) : []),
  ];
}

export interface NewFlowState {
  readonly name: string;
  readonly screen: string;
  readonly path: string;
  readonly title: BilingualText;
  readonly intro: BilingualText;
}

/** Derives name, screen and path from the title. `after` is the state before the new one. */
export function fillNewStateDefaults(
  set: StudioDefinitions,
  flow: string,
  { after, ...typed }: Omit<NewFlowState, 'path'> & { readonly path: string | null; readonly after: string },
): NewFlowState {
  const takenNames = listFlowStates(set, flow).map((own) => own.name);
  const name = typed.name === '' ? deriveKeyFromLabel(typed.title.es, '-', takenNames) : typed.name;
  return {
    ...typed,
    name,
    screen: typed.screen === '' ? `${flow}-${name}` : typed.screen,
    path: typed.path ?? deriveStatePath(set, flow, { after, title: typed.title.es }),
  };
}

/** Derives an unused path for a new state from the state's title. The path is below that of the journey. */
export function deriveStatePath(
  set: StudioDefinitions,
  flow: string,
  { after, title }: { readonly after: string; readonly title: string },
): string {
  if (title === '') return '';
  const states = listFlowStates(set, flow);
  const findPath = (name: string): string => String(states.find((own) => own.name === name)?.state['path'] ?? '');
  const own =
    findPath(after) || findPath(String(readFileValue(set, buildFlowFilePath(flow), '/initial'))) || `/${flow}`;
  const staticPath = own.replace(/\/:.*/, '') || `/${flow}`; // ends the path before a parameter, whose value is unknown
  const [root = staticPath] = states
    .map(({ name }) => findPath(name))
    .filter((path) => path !== '' && staticPath.startsWith(`${path}/`))
    .sort((one, other) => one.length - other.length);
  const takenPaths = listFlowIds(set)
    .flatMap((name) => listFlowStates(set, name))
    .flatMap(({ state: { path } }) =>
      typeof path === 'string' && path.startsWith(`${root}/`) ? [path.slice(root.length + 1)] : [],
    );
  return `${root}/${deriveKeyFromLabel(title, '-', takenPaths)}`;
}

export function createNewStateDefinition(
  { path, screen }: NewFlowState,
  { state: { access, permissions } }: LocatedState,
): JsonObject {
  if (path === '') return { screen };
  return {
    path,
    screen,
    ...(access !== undefined && { access }),
    ...(permissions !== undefined && { permissions }),
  };
}

export function createNewScreenChanges(
  { screen, title, intro }: Pick<NewFlowState, 'screen' | 'title' | 'intro'>,
  events: readonly string[],
): readonly FileChange[] {
  const { ui, pt } = buildScreenFilePaths(screen);
  const texts = (language: keyof BilingualText): JsonObject => ({
    title: title[language],
    ...(intro[language] !== '' && { intro: intro[language] }),
  });
  const createFileChange = (file: string, value: JsonObject) => ({ file, base: null, edits: [{ pointer: '', value }] });
  return [
    createFileChange(ui, {
      $schema: '../_formats/ui.schema.json',
      ...texts('es'),
      actions: stepActions.es.filter(({ event }) => events.includes(event)) as unknown as Json, // cast, because the type of the JSON module is not assignable to `Json`
    }),
    createFileChange(pt, {
      $schema: '../_formats/translation.schema.json',
      ...texts('pt'),
      actions: Object.fromEntries(Object.entries(stepActions.pt).filter(([event]) => events.includes(event))),
    }),
    createFileChange(`tests/fixtures/${screen}.json`, { cases: { valid: { note: title.es } } }),
  ];
}

export function buildTransitionPointer({ pointer }: LocatedState, event: string): string {
  return event === 'invoke' ? `${pointer}/invoke` : `${pointer}/on/${escapePointer(event)}`;
}
