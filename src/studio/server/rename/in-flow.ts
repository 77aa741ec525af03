import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { leadsTo } from '../../editor/tasks/flow-tasks.ts';
import type { JsonString } from './replace-strings.ts';

/** Returns the given states and their ancestors. */
export function statesAround(flow: Json, inner: ReadonlySet<string>): ReadonlySet<string> {
  const around = new Set<string>();
  const visit = (states: Json | undefined): boolean => {
    if (!isObject(states)) return false;
    const found = Object.entries(states as JsonObject).filter(([name, state]) => {
      const holds = isObject(state) && visit((state as JsonObject)['states']);
      return holds || inner.has(name);
    });
    for (const [name] of found) around.add(name);
    return found.length > 0;
  };
  visit(isObject(flow) ? (flow as JsonObject)['states'] : undefined);
  return around;
}

/** Returns the innermost state around a string of a flow, or `null`. */
export function stateOf(path: JsonString['path']): string | null {
  let state: string | null = null;
  for (let at = 0; path[at] === 'states' && at + 1 < path.length; at += 2) state = String(path[at + 1]);
  return state;
}

/** Whether a string is the key of a state. */
export function isStateKey({ path, isKey }: JsonString): boolean {
  return isKey && path.length % 2 === 0 && path.every((step, at) => at % 2 === 1 || step === 'states');
}

/** Returns pointers to all references to a state in a flow. */
export function placesOfState(flow: Json, name: string): ReadonlySet<string> {
  const at = (value: Json | undefined, key: string): Json | undefined =>
    isObject(value) ? (value as JsonObject)[key] : undefined;
  const entries = (value: Json | undefined): readonly (readonly [string, Json])[] =>
    isObject(value) ? Object.entries(value as JsonObject) : [];
  const same = (value: Json | undefined, pointer: string): readonly string[] => (value === name ? [pointer] : []);
  const each = (value: Json | undefined, pointer: string): readonly string[] =>
    entries(value).flatMap(([key, own]) => leadsTo(name, own, `${pointer}/${escapePointer(key)}`));
  const way = (value: Json | undefined, pointer: string): readonly string[] =>
    Array.isArray(value)
      ? value.flatMap((step: Json, index) => [
          ...same(step, `${pointer}/${index}`),
          ...same(at(step, 'state'), `${pointer}/${index}/state`),
        ])
      : entries(value).flatMap(([key, own]) => way(own, `${pointer}/${escapePointer(key)}`));
  const inStates = (states: Json | undefined, pointer: string): readonly string[] =>
    entries(states).flatMap(([key, state]) => {
      const own = `${pointer}/${escapePointer(key)}`;
      return [
        ...same(at(at(state, 'requires'), 'else'), `${own}/requires/else`),
        ...same(at(state, 'back'), `${own}/back`),
        ...leadsTo(name, at(state, 'always'), `${own}/always`),
        ...leadsTo(name, at(state, 'invoke'), `${own}/invoke`),
        ...each(at(state, 'on'), `${own}/on`),
        ...each(at(state, 'after'), `${own}/after`),
        ...inStates(at(state, 'states'), `${own}/states`),
      ];
    });
  return new Set([
    ...same(at(flow, 'initial'), '/initial'),
    ...entries(at(flow, 'challenges')).flatMap(([key, own]) => same(own, `/challenges/${escapePointer(key)}`)),
    ...way(at(flow, 'progress'), '/progress'),
    ...leadsTo(name, at(flow, 'onError'), '/onError'),
    ...each(at(flow, 'branches'), '/branches'),
    ...each(at(flow, 'operations'), '/operations'),
    ...inStates(at(flow, 'states'), '/states'),
  ]);
}

export function pointerOf(path: JsonString['path']): string {
  return path.map((step) => `/${escapePointer(String(step))}`).join('');
}
