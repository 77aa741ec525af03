import type { Branch, Effect, State } from '../../core/definition.ts';
import { branchesOf, effectOf } from '../../core/transition.ts';

/** Every operation of a state: on the way in, and of its events. */
export function effectsOfState({ invoke, on = {} }: State): readonly Effect[] {
  return [...(invoke ? [invoke] : []), ...Object.values(on).flatMap((transition) => effectOf(transition) ?? [])];
}

/** Every branch of a state. */
export function branchesOfState(state: State): readonly Branch[] {
  return [
    ...(state.always ?? []),
    ...effectsOfState(state).flatMap(({ onDone, onError }) => [...onDone, ...onError]),
    ...Object.values(state.on ?? {}).flatMap(branchesOf),
  ];
}
