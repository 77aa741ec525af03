import type { Branch, Effect, Flow, State, Transition } from '../core/definition.ts';
import { effectOf } from '../core/transition.ts';

/** A flow as written: an effect may leave its errors to the flow's `onError`. */
type WrittenEffect = Omit<Effect, 'onError'> & { readonly onError?: readonly Branch[] };

/** Puts the flow's `onError` behind the own branches of each effect that do not decide every error. */
export function expandFlow(flow: Flow): Flow {
  const states = Object.entries(flow.states).map(([name, state]) => [name, expandState(state, flow.onError ?? [])]);
  return { ...flow, states: Object.fromEntries(states) as Flow['states'] }; // Object.fromEntries loses the value type
}

/** Whether a branch is taken whatever happens. */
export function isUnconditional({ guard }: Branch): boolean {
  return guard === undefined || guard === true;
}

function expandState(state: State, rest: readonly Branch[]): State {
  const on = Object.entries(state.on ?? {}).map(([event, transition]): [string, Transition] => {
    const effect = effectOf(transition);
    return [event, effect ? expandEffect(effect, rest) : transition];
  });
  return {
    ...state,
    ...(state.invoke ? { invoke: expandEffect(state.invoke, rest) } : {}),
    ...(state.on ? { on: Object.fromEntries(on) } : {}),
  };
}

function expandEffect(effect: WrittenEffect, rest: readonly Branch[]): Effect {
  const own = effect.onError ?? [];
  return { ...effect, onError: own.some(isUnconditional) ? own : [...own, ...rest] };
}
