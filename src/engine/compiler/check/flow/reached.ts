import type { Flow, State } from '../../../core/definition.ts';
import { branchesOfState } from '../../flow/branches-of-state.ts';

/** The states that a way leads to: from the initial one, and from those with an address. */
export function reachedStates({ initial, states, challenges = {} }: Flow): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    for (const next of nextStates(states[name], challenges)) visit(next);
  };
  [initial, ...Object.keys(states).filter((name) => states[name]?.path !== undefined)].forEach(visit);
  return reached;
}

function nextStates(state: State | undefined, challenges: Readonly<Record<string, string>>): readonly string[] {
  if (!state) return [];
  const targets = branchesOfState(state).flatMap(({ target, challenge }) => [
    ...(target === undefined ? [] : [target]),
    ...(challenge === undefined ? [] : Object.values(challenges)),
  ]);
  const back = state.back === undefined || ['history', 'none'].includes(state.back) ? [] : [state.back];
  return [...targets, ...back, ...(state.requires ? [state.requires.else] : [])];
}
