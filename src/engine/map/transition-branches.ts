import type { TransitionBranch, Flow, Transition, JsonLogic, StateDefinition } from '../core/flow-and-screen-types.ts';
import { listDirectBranches, findTransitionInvocation } from '../core/transition.ts';

export interface TransitionArrow {
  /** Event that triggers the branch, or `always`, `invoke`, `requires` or `back`. */
  readonly on: string;
  readonly operation?: string;
  readonly outcome?: 'done' | 'failed';
  /** Guard of the branch. Absent if the branch is always taken. */
  readonly guard?: JsonLogic;
  /** Target state. Absent if the branch stays in its state or leaves the flow. */
  readonly target?: string;
  readonly leaves: boolean;
  readonly notice?: string;
  /** Branch of the definition. Absent for `requires` and `back`. */
  readonly branch?: TransitionBranch;
}

/** Name of the node at which the server chooses the next challenge. Without it, every state would have an arrow to each challenge. */
export const challengeNode = '*';

/** Adds a node for the server's choice, whose events are the names of the challenges. */
export function addChallengeNode({ states, challenges }: Flow): Readonly<Record<string, StateDefinition>> {
  if (!challenges) return states;
  return {
    ...states,
    [challengeNode]: { on: Object.fromEntries(Object.entries(challenges).map(([name, target]) => [name, { target }])) },
  };
}

export function listTransitionArrows(state: StateDefinition): readonly TransitionArrow[] {
  const { back, requires } = state;
  return [
    ...(requires ? [{ on: 'requires', guard: requires.guard, target: requires.else, leaves: false }] : []),
    ...listStateBranches('', state).map(createArrow),
    ...(back === undefined || back === 'history' || back === 'none'
      ? []
      : [{ on: 'back', target: back, leaves: false }]),
  ];
}

export function listArrowTargets(nodes: ReturnType<typeof addChallengeNode>, name: string): readonly string[] {
  const targets = listTransitionArrows(nodes[name] ?? {}).flatMap(({ target }) => target ?? []);
  return [...new Set(targets)].filter((target) => target !== name);
}

function createArrow({ on, operation, outcome, branch }: LocatedTransitionBranch): TransitionArrow {
  const { guard, target, challenge, leave, notice } = branch;
  const next = challenge === undefined ? target : challengeNode;
  return {
    on,
    ...(operation !== undefined && { operation }),
    ...(outcome !== undefined && { outcome: outcome === 'onDone' ? 'done' : 'failed' }),
    ...(guard !== undefined && { guard }),
    ...(next !== undefined && { target: next }),
    ...(notice !== undefined && { notice }),
    leaves: leave !== undefined,
    branch,
  };
}

export interface LocatedTransitionBranch {
  /** Id of the branch, unique in its flow, for example `datos submit onError 2`. */
  readonly id: string;
  readonly state: string;
  readonly on: string;
  readonly operation?: string;
  readonly outcome?: 'onDone' | 'onError';
  readonly branch: TransitionBranch;
  readonly among: readonly TransitionBranch[];
}

export function listLocatedTransitionBranches({ states }: Flow): readonly LocatedTransitionBranch[] {
  return Object.entries(states).flatMap(([name, state]) => listStateBranches(name, state));
}

function listStateBranches(state: string, { always = [], invoke, on = {} }: StateDefinition) {
  return [
    ...createBranchPlaces(always, { state, on: 'always' }),
    ...(invoke ? listTransitionBranches(invoke, { state, on: 'invoke' }) : []),
    ...Object.entries(on).flatMap(([event, transition]) => listTransitionBranches(transition, { state, on: event })),
  ];
}

type BranchOrigin = Pick<LocatedTransitionBranch, 'state' | 'on' | 'operation' | 'outcome'>;

function listTransitionBranches(transition: Transition, start: BranchOrigin): readonly LocatedTransitionBranch[] {
  const effect = findTransitionInvocation(transition);
  if (!effect) return createBranchPlaces(listDirectBranches(transition), start);
  return (['onDone', 'onError'] as const).flatMap((outcome) =>
    createBranchPlaces(effect[outcome], { ...start, operation: effect.src, outcome }),
  );
}

function createBranchPlaces(among: readonly TransitionBranch[], start: BranchOrigin) {
  const { state, on, outcome } = start;
  return among.map((branch, index) => ({
    ...start,
    id: [state, on, outcome, index + 1].filter((part) => part !== undefined).join(' '),
    branch,
    among,
  }));
}
