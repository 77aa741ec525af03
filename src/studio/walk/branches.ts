import type { Branch, Flow, Transition } from '../../engine/core/definition.ts';
import { branchesOf, effectOf } from '../../engine/core/transition.ts';

export interface BranchPlace {
  /** Unique in its flow, e.g. `datos submit onError 2`. */
  readonly id: string;
  readonly state: string;
  /** `always`, `invoke`, or an event. */
  readonly on: string;
  /** Operation before the branch, and its outcome. */
  readonly operation?: string;
  readonly outcome?: 'onDone' | 'onError';
  readonly branch: Branch;
  /** All branches at this place, in order. */
  readonly among: readonly Branch[];
}

export function branchPlaces({ states }: Flow): readonly BranchPlace[] {
  return Object.entries(states).flatMap(([state, { always = [], invoke, on = {} }]) => [
    ...listed(always, { state, on: 'always' }),
    ...(invoke ? ofTransition(invoke, { state, on: 'invoke' }) : []),
    ...Object.entries(on).flatMap(([event, transition]) => ofTransition(transition, { state, on: event })),
  ]);
}

type Start = Pick<BranchPlace, 'state' | 'on' | 'operation' | 'outcome'>;

function ofTransition(transition: Transition, start: Start): readonly BranchPlace[] {
  const effect = effectOf(transition);
  if (!effect) return listed(branchesOf(transition), start);
  return (['onDone', 'onError'] as const).flatMap((outcome) =>
    listed(effect[outcome], { ...start, operation: effect.src, outcome }),
  );
}

function listed(among: readonly Branch[], start: Start): readonly BranchPlace[] {
  const { state, on, outcome } = start;
  return among.map((branch, index) => ({
    ...start,
    id: [state, on, outcome, index + 1].filter((part) => part !== undefined).join(' '),
    branch,
    among,
  }));
}
