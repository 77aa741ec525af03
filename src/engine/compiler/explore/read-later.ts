import type { Branch, Flow, State, Template, Transition } from '../../core/definition.ts';
import { listVariables } from '../../core/logic.ts';
import { listBranches, findEffect } from '../../core/transition.ts';
import { findSteps } from './entry-points.ts';

/**
/**
 * Live-variable analysis: returns whether the value of a path (`context.name`, a fact) may still be read after a state, before it is assigned again.
 * `drawn` are the paths that drawing a state reads. Dropping the other values makes most nodes equal.
 */
export function findLiveVariables(flow: Flow, drawn: (state: State) => readonly string[]) {
  const names = Object.keys(flow.states);
  const live = new Map(names.map((name) => [name, new Set<string>()]));
  const listLiveVariables = (name: string | undefined): Iterable<string> =>
    name === undefined ? [] : (live.get(name) ?? []);
  const after = (branch: Branch, stays: string): Set<string> => {
    const reads = new Set<string>([
      ...listLiveVariables(branch.target ?? stays),
      ...(branch.challenge === undefined
        ? []
        : Object.values(flow.challenges ?? {}).flatMap((name) => [...listLiveVariables(name)])),
    ]);
    const assigned = Object.entries(branch.assign ?? {});
    const needed = assigned.filter(([name]) => reads.has(`context.${name}`));
    for (const [name] of assigned) reads.delete(`context.${name}`);
    for (const [, template] of needed) for (const path of listVariables(template)) reads.add(path);
    for (const path of [...listPaths(branch.guard), ...listPaths(branch.challenge)]) reads.add(path);
    return reads;
  };
  const listVariablesAfter = (transition: Transition, name: string) => {
    const effect = findEffect(transition);
    const branches = effect ? [...effect.onDone, ...effect.onError] : listBranches(transition);
    return branches.flatMap((branch) => [...after(branch, name)]);
  };
  const once = (name: string, state: State): readonly string[] => [
    ...drawn(state),
    ...listPaths(state.requires?.guard),
    ...listLiveVariables(state.requires?.else),
    ...(state.always ?? []).flatMap((branch) => [...after(branch, name)]),
    ...(state.invoke ? listVariablesAfter(state.invoke, name) : []),
    ...Object.values(state.on ?? {}).flatMap((transition) => listVariablesAfter(transition, name)),
    ...listLiveVariables(state.back),
    ...findSteps(flow, name).flatMap((other) => [...listLiveVariables(other)]),
  ];
  for (let grown = true; grown;) {
    grown = false;
    for (const [name, state] of Object.entries(flow.states)) {
      const known = live.get(name);
      const before = known?.size;
      for (const path of once(name, state)) known?.add(path);
      grown ||= known?.size !== before;
    }
  }
  const readers = new Map(names.map((name) => [name, createReader([...(live.get(name) ?? [])])]));
  return (state: string): ((path: string) => boolean) => readers.get(state) ?? (() => false);
}
/** Whether a path, its parent or its child is among `reads`. Cached, because few paths are looked up very often. */
function createReader(reads: readonly string[]): (path: string) => boolean {
  const answers = new Map<string, boolean>();
  const isRead = (path: string) =>
    reads.some((read) => read === path || read.startsWith(`${path}.`) || path.startsWith(`${read}.`));
  return (path) => {
    const answer = answers.get(path) ?? isRead(path);
    answers.set(path, answer);
    return answer;
  };
}

function listPaths(template: Template | undefined): readonly string[] {
  return template === undefined ? [] : listVariables(template);
}
