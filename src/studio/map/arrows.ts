import type { Branch, Effect, Flow, Logic, State, Transition } from '../../engine/core/definition.ts';
import { branchesOf, effectOf } from '../../engine/core/transition.ts';

/** One way on from a state. */
export interface Arrow {
  /** The event; `always`, `invoke` and `back` are no events of buttons. */
  readonly on: string;
  /** The operation that is made first, and which of its outcomes this is. */
  readonly operation?: string;
  readonly outcome?: 'done' | 'failed';
  /** Absent: always taken. */
  readonly guard?: Logic;
  /** The next state; absent: the flow stays, or is left. */
  readonly target?: string;
  readonly leaves: boolean;
  /** The notice that is raised. */
  readonly notice?: string;
}

/** The node that stands for the server's choice of the next step: without it every state would lead to every step. */
export const stepsNode = '*';

/** The states of a compiled flow, and the choice of the next step where it has challenges: its events are the names of the challenges. */
export function nodesOf({ states, challenges }: Flow): Readonly<Record<string, State>> {
  if (!challenges) return states;
  return {
    ...states,
    [stepsNode]: { on: Object.fromEntries(Object.entries(challenges).map(([name, target]) => [name, { target }])) },
  };
}

/** Every way on from a state of a compiled flow, in the order in which they are tried. */
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

/** The other nodes that a node leads to, each once. */
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
