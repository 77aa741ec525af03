import type { Branch, Effect, Flow, Logic, State, Transition } from '../../engine/core/definition.ts';
import { branchesOf, effectOf } from '../../engine/core/transition.ts';

export interface Arrow {
  /** Event, or one of `always`, `invoke`, `requires` and `back`. */
  readonly on: string;
  readonly operation?: string;
  readonly outcome?: 'done' | 'failed';
  /** Absent if always taken. */
  readonly guard?: Logic;
  /** Target state. Absent if the flow stays or is left. */
  readonly target?: string;
  readonly leaves: boolean;
  readonly notice?: string;
}

/** Node for the server's choice of the next step. Without it every state would lead to every step. */
export const stepsNode = '*';

/** Returns the states of a flow, and a node for the choice of the next step if it has challenges. Its events are the names of the challenges. */
export function nodesOf({ states, challenges }: Flow): Readonly<Record<string, State>> {
  if (!challenges) return states;
  return {
    ...states,
    [stepsNode]: { on: Object.fromEntries(Object.entries(challenges).map(([name, target]) => [name, { target }])) },
  };
}

/** Returns the transitions of a state in order of evaluation. */
export function arrowsOf({ always = [], invoke, on = {}, back, requires }: State): readonly Arrow[] {
  return [
    ...(requires ? [{ on: 'requires', guard: requires.guard, target: requires.else, leaves: false }] : []),
    ...always.map((branch) => arrowOfBranch(branch, { on: 'always' })),
    ...(invoke ? arrowsOfEffect(invoke, 'invoke') : []),
    ...Object.entries(on).flatMap(([event, transition]) => arrowsOfTransition(transition, event)),
    ...(back === undefined || back === 'history' || back === 'none'
      ? []
      : [{ on: 'back', target: back, leaves: false }]),
  ];
}

export function targetsOf(nodes: ReturnType<typeof nodesOf>, name: string): readonly string[] {
  const targets = arrowsOf(nodes[name] ?? {}).flatMap(({ target }) => target ?? []);
  return [...new Set(targets)].filter((target) => target !== name);
}

function arrowsOfTransition(transition: Transition, on: string): readonly Arrow[] {
  const effect = effectOf(transition);
  return effect ? arrowsOfEffect(effect, on) : branchesOf(transition).map((branch) => arrowOfBranch(branch, { on }));
}

function arrowsOfEffect({ src: operation, onDone, onError }: Effect, on: string): readonly Arrow[] {
  const done = onDone.map((branch) => arrowOfBranch(branch, { on, operation, outcome: 'done' }));
  return [...done, ...onError.map((branch) => arrowOfBranch(branch, { on, operation, outcome: 'failed' }))];
}

function arrowOfBranch(
  { guard, target, challenge, leave, notice }: Branch,
  start: Pick<Arrow, 'on' | 'operation' | 'outcome'>,
): Arrow {
  const next = challenge === undefined ? target : stepsNode;
  return {
    ...start,
    ...(guard !== undefined && { guard }),
    ...(next !== undefined && { target: next }),
    ...(notice !== undefined && { notice }),
    leaves: leave !== undefined,
  };
}
