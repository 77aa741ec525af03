import type { Branch, Effect, State } from '../../core/definition.ts';
import { branchesOf, effectOf } from '../../core/transition.ts';

/** Returns every operation call of a state: `invoke`, and those of its events. */
export function effectsOfState({ invoke, on = {} }: State): readonly Effect[] {
  return [...(invoke ? [invoke] : []), ...Object.values(on).flatMap((transition) => effectOf(transition) ?? [])];
}

export function branchesOfState(state: State): readonly Branch[] {
  return [
    ...(state.always ?? []),
    ...effectsOfState(state).flatMap(({ onDone, onError }) => [...onDone, ...onError]),
    ...Object.values(state.on ?? {}).flatMap(branchesOf),
  ];
}
