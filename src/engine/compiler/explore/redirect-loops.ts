import type { TransitionBranch, OperationInvocation, Flow, StateDefinition } from '../../core/flow-and-screen-types.ts';
import { isObject, type Json } from '../../core/json.ts';
import { findRoute } from '../../core/route.ts';
import { listFlowRoutes } from '../flow/flow-queries.ts';
import { unknownValueShape, createFactShapes, type ValueShape } from './value-shapes.ts';
import { type FlowExplorationOptions, resolveEntryState } from './state-space.ts';
import {
  assumeAccessFacts,
  listGuardOutcomes,
  evaluateTemplateAbstractly,
  isValuePathBelow,
  type GuardOutcome,
} from './evaluate-rules.ts';
import { ScreenIndex } from './screen-index.ts';
import { AbstractAssignment } from './abstract-assignment.ts';

/** A state that a URL opens, with the facts and operation outcomes that the search has assumed so far. */
interface OpenedState {
  readonly flow: Flow;
  readonly state: string;
  /** Constraints on facts. Flow variables have none, because they may keep any value from an earlier visit. */
  readonly assignment: AbstractAssignment;
  /** Assumed outcome of each operation. The outcome is the same for every call. */
  readonly ends: ReadonlyMap<string, CallOutcome>;
}

type CallOutcome = 'onDone' | 'onError';

/** A redirect before anything is rendered: a state that a URL opens, and the branch whose `leave` redirects to another URL. */
export interface AutomaticRedirect {
  readonly from: OpenedState;
  readonly branch: TransitionBranch;
}

/** Finds redirect loops: cycles of URLs that each redirect to the next one before anything is rendered. */
export function findRedirectLoops(
  flows: readonly Flow[],
  around: FlowExplorationOptions,
): readonly (readonly AutomaticRedirect[])[] {
  const departures = new LeaveGraph(flows, around);
  const circles: (readonly AutomaticRedirect[])[] = [];
  const reportedKeys = new Set<string>();
  const visit = (from: OpenedState, trail: readonly (AutomaticRedirect & { readonly key: string })[]): void => {
    const key = createStateKey(from);
    const start = trail.findIndex((one) => one.key === key);
    if (start >= 0) circles.push(trail.slice(start));
    if (reportedKeys.has(key)) return;
    reportedKeys.add(key);
    for (const [branch, to] of departures.of(from)) visit(to, [...trail, { from, branch, key }]);
  };
  for (const from of departures.starts()) visit(from, []);
  return circles;
}

function createStateKey({ flow, state, assignment, ends }: OpenedState): string {
  return [flow.id, state, assignment.key, ...[...ends].map((end) => end.join('=')).sort()].join('|');
}

type ReachedState = Omit<OpenedState, 'flow'> & { readonly passed: readonly string[] };

/** A branch that is certainly taken for an assignment. `branch` is `null` if no branch is taken. */
interface CertainBranch extends Omit<GuardOutcome, 'holds'> {
  readonly branch: TransitionBranch | null;
}

class LeaveGraph {
  readonly #flows: readonly Flow[];
  readonly #around: FlowExplorationOptions;
  readonly #screens: ScreenIndex;
  readonly #routes;

  constructor(flows: readonly Flow[], around: FlowExplorationOptions) {
    this.#flows = flows;
    this.#around = around;
    this.#screens = new ScreenIndex(around.screens);
    this.#routes = flows.flatMap((flow) => listFlowRoutes(flow));
  }

  starts(): readonly OpenedState[] {
    const assignment = new AbstractAssignment({ facts: createFactShapes(this.#around.factShapes) });
    return this.#flows.flatMap((flow) =>
      Object.entries(flow.states)
        .filter(([, { path }]) => path !== undefined)
        .map(([state]) => ({ flow, state, assignment, ends: new Map() })),
    );
  }

  /** Returns each branch that redirects before anything is rendered, with the state that the redirect target opens. */
  of({ flow, ...arrival }: OpenedState): readonly (readonly [TransitionBranch, OpenedState])[] {
    const asks = (step: string) => this.#screens.hasFields(flow.states[step]);
    return this.#enter(flow, { ...arrival, state: resolveEntryState(flow, arrival.state, asks), passed: [] });
  }

  #enter(flow: Flow, here: ReachedState): readonly (readonly [TransitionBranch, OpenedState])[] {
    const state = flow.states[here.state];
    if (!state || here.passed.includes(here.state)) return [];
    const passed = [...here.passed, here.state];
    const admitted = assumeAccessFacts(state, this.#around, here.assignment, (fact) => this.#canDecide(fact, here));
    if (admitted === null) return [];
    return this.#forks(state.requires?.guard, { ...here, assignment: admitted }).flatMap(({ holds, assignment }) => {
      const now = { ...here, assignment, passed };
      if (!holds) return this.#enter(flow, { ...now, state: state.requires?.else ?? '' });
      return this.#take(state.always ?? [], now).flatMap((taken) =>
        taken.branch || !state.invoke
          ? this.#follow(flow, taken, now)
          : this.#call(flow, state, state.invoke, { ...now, assignment: taken.assignment }),
      );
    });
  }

  // Returns the redirects after an operation. Returns none for a block, which is rendered while its operation runs and may navigate in its code.
  #call(
    flow: Flow,
    state: StateDefinition,
    effect: OperationInvocation,
    here: ReachedState,
  ): readonly (readonly [TransitionBranch, OpenedState])[] {
    if (state.block !== undefined) return [];
    const known = here.ends.get(effect.src);
    const { changeableFacts = [] } = this.#around;
    return (['onDone', 'onError'] as const)
      .filter((end) => known === undefined || known === end)
      .flatMap((end) => {
        const assignment =
          end === 'onDone'
            ? here.assignment
                .forgetFacts((name) => isValuePathBelow(name, changeableFacts))
                .replaceRoots([['result', unknownValueShape]])
            : here.assignment.replaceRoots([['error', serverErrorShape]]);
        const now = { ...here, assignment, ends: new Map([...here.ends, [effect.src, end]]) };
        return this.#take(effect[end], now).flatMap((taken) => this.#follow(flow, taken, now));
      });
  }

  #follow(flow: Flow, { branch, assignment }: CertainBranch, here: ReachedState): ReturnType<LeaveGraph['of']> {
    if (branch?.leave !== undefined) {
      const to = this.#openPath(branch.leave);
      const facts = assignment.dropUnreadValues((path) => !path.startsWith('context.'));
      return to ? [[branch, { ...to, assignment: facts, ends: here.ends }]] : [];
    }
    if (branch?.target === undefined || branch.target === here.state) return [];
    const assigned = Object.entries(branch.assign ?? {}).map(
      ([name, template]) => [name, evaluateTemplateAbstractly(template, assignment)] as const,
    );
    return this.#enter(flow, { ...here, state: branch.target, assignment: assignment.assignVariables(assigned) });
  }

  #openPath(leave: Json): Pick<OpenedState, 'flow' | 'state'> | undefined {
    const address = findPortalPath(leave);
    const route = address === undefined ? undefined : findRoute(this.#routes, address)?.route;
    const flow = this.#flows.find(({ id }) => id === route?.flow);
    return flow && route && { flow, state: route.state };
  }

  /** Returns the branches that are certainly taken in some case. Omits branches after a guard that cannot be decided. */
  #take(branches: readonly TransitionBranch[], here: ReachedState): readonly CertainBranch[] {
    let open: readonly AbstractAssignment[] = [here.assignment];
    const certainBranches: CertainBranch[] = [];
    for (const branch of branches) {
      const forks = open.flatMap((now) => this.#forks(branch.guard, { ...here, assignment: now }));
      if (branch.challenge === undefined)
        certainBranches.push(
          ...forks.filter(({ holds }) => holds).map((fork) => ({ branch, assignment: fork.assignment })),
        );
      open = forks.filter(({ holds }) => !holds).map((fork) => fork.assignment);
    }
    return [...certainBranches, ...open.map((now) => ({ branch: null, assignment: now }))];
  }

  /** Returns the outcomes of a guard. Returns none if they depend on a test that `#canDecide` excludes. */
  #forks(guard: TransitionBranch['guard'], here: ReachedState): readonly GuardOutcome[] {
    return listGuardOutcomes(
      guard,
      here.assignment,
      (asked) => asked.of !== 'rule' && this.#canDecide(asked.value.unknown, here),
    );
  }

  /** Whether a test may be assumed to have either result: the value is a fact that no successful operation may have changed. */
  #canDecide(path: string, { ends }: ReachedState): boolean {
    if (/^(context|form|result|error|rule)([.:]|$)/.test(path)) return false;
    return ![...ends.values()].includes('onDone') || !isValuePathBelow(path, this.#around.changeableFacts ?? []);
  }
}

function findPortalPath(leave: Json): string | undefined {
  const to = isObject(leave) && !('host' in leave) ? leave['to'] : leave;
  if (typeof to !== 'string' || !to.startsWith('/') || /\{\w+\}/.test(to)) return undefined;
  return to.replace(/[?#].*$/, '').normalize('NFC');
}

/** Shape of the error of every operation during a server failure: status 500 without a code. */
const serverErrorShape: ValueShape = {
  optional: false,
  schema: {
    type: 'object',
    required: ['status', 'error', 'outdated'],
    properties: { status: { enum: [500] }, error: { type: 'string' }, outdated: { enum: [false] } },
    additionalProperties: false,
  },
};
