import type { StateSpaceNode, Exploration, RetryLoop } from './state-space.ts';
import type { Assignment } from './assignment.ts';
import type { TransitionBranch, Flow } from '../../core/definition.ts';
import type { Json } from '../../core/json.ts';
import { evaluateGuard, evaluateTemplate } from './evaluate-rules.ts';

interface Failure extends Pick<RetryLoop, 'node' | 'branch'> {
  readonly from: string;
  readonly to: string;
}

/** Graph of transitions between nodes that happen without a user action or delay. Finds the retry loops in it. */
export class RetryLoopFinder {
  readonly #next = new Map<string, Set<string>>();
  readonly #stateOf = new Map<string, string>();
  readonly #failures: Failure[] = [];

  addTransition(from: string, to: string, state: string): void {
    this.#stateOf.set(to, state);
    const known = this.#next.get(from);
    if (known) known.add(to);
    else this.#next.set(from, new Set([to]));
  }

  addFailure(failure: Failure): void {
    this.#failures.push(failure);
  }

  findLoops(): readonly RetryLoop[] {
    return this.#failures.flatMap(({ from, to, node, branch }): readonly RetryLoop[] => {
      const between = this.#between(to, from);
      return between ? [{ node, branch, states: [node.state, ...between] }] : [];
    });
  }

  #between(from: string, to: string): readonly string[] | null {
    const before = new Map<string, string | null>([[from, null]]);
    for (const one of before.keys()) {
      if (one === to) break;
      for (const next of this.#next.get(one) ?? []) if (!before.has(next)) before.set(next, one);
    }
    if (!before.has(to)) return null;
    const states: string[] = [];
    for (let one = before.get(to) ?? null; one !== null; one = before.get(one) ?? null) {
      const state = this.#stateOf.get(one) ?? '';
      if (states[0] !== state) states.unshift(state);
    }
    return states.at(-1) === this.#stateOf.get(to) ? states.slice(0, -1) : states;
  }
}

export class BranchExplorer implements Pick<
  Exploration,
  'taken' | 'candidateBranches' | 'evaluatedBranches' | 'takenInstead'
> {
  readonly taken = new Map<TransitionBranch, StateSpaceNode>();
  readonly candidateBranches = new Set<TransitionBranch>();
  readonly evaluatedBranches = new Set<TransitionBranch>();
  readonly takenInstead = new Map<TransitionBranch, Set<TransitionBranch>>();
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Follows every branch that may be the first one with a true guard. Calls `follow` with `null` if there may be no such branch. */
  followBranches(
    branches: readonly TransitionBranch[],
    assignment: Assignment,
    node: StateSpaceNode,
    follow: (branch: TransitionBranch | null, assignment: Assignment, target: string | undefined) => void,
  ): void {
    let open: readonly Assignment[] = [assignment];
    branches.forEach((branch, index) => {
      this.candidateBranches.add(branch);
      if (open.length > 0) this.evaluatedBranches.add(branch);
      const rest: Assignment[] = [];
      for (const now of open)
        for (const fork of evaluateGuard(branch.guard, now)) {
          if (!fork.holds) {
            rest.push(fork.assignment);
            continue;
          }
          if (!this.taken.has(branch)) this.taken.set(branch, { ...node, assignment: fork.assignment });
          for (const later of branches.slice(index + 1)) this.#shadow(later, branch);
          const assigned = Object.entries(branch.assign ?? {}).map(
            ([name, template]) => [name, evaluateTemplate(template, fork.assignment)] as const,
          );
          for (const { target, assignment: end } of this.#targets(branch, fork.assignment))
            follow(branch, end.assignVariables(assigned), target);
        }
      open = rest;
    });
    for (const now of open) follow(null, now, undefined);
  }

  #shadow(branch: TransitionBranch, by: TransitionBranch): void {
    const known = this.takenInstead.get(branch) ?? new Set<TransitionBranch>();
    this.takenInstead.set(branch, known.add(by));
  }

  #targets(
    branch: TransitionBranch,
    assignment: Assignment,
  ): readonly { readonly target: string | undefined; readonly assignment: Assignment }[] {
    if (branch.challenge === undefined) return [{ target: branch.target, assignment }];
    const { '*': other, ...steps } = this.#flow.challenges ?? {};
    const found: { target: string | undefined; assignment: Assignment }[] = [];
    let open: readonly Assignment[] = [assignment];
    for (const [name, target] of Object.entries(steps)) {
      const forks = open.flatMap((now) => evaluateGuard({ '==': [branch.challenge as Json, name] }, now));
      found.push(...forks.filter(({ holds }) => holds).map((fork) => ({ target, assignment: fork.assignment })));
      open = forks.filter(({ holds }) => !holds).map((fork) => fork.assignment);
    }
    return [...found, ...open.map((now) => ({ target: other, assignment: now }))];
  }
}

const maxNodes = 20_000;
/** Number of nodes of one state after which constraints are dropped (`forget`) or assignments are joined (`join`). */
const widenAfter = { forget: 60, join: 120 } as const;

/** First-in, first-out queue of discovered nodes, without duplicates. Each node is reached on a shortest path. */
export class SearchFrontier {
  readonly visitedNodes: StateSpaceNode[] = [];
  isCapped = false;
  readonly #queue: StateSpaceNode[] = [];
  readonly #seen = new Set<string>();
  readonly #ofState = new Map<string, { count: number; joined: Assignment | null }>();

  next(): StateSpaceNode | undefined {
    const node = this.#queue.shift();
    if (node) this.visitedNodes.push(node);
    return node;
  }

  add(node: StateSpaceNode): string {
    const { state, assignment } = node;
    const { count, joined } = this.#ofState.get(state) ?? { count: 0, joined: null };
    const known = count < widenAfter.forget ? assignment : assignment.withoutConstraints();
    const widened = count < widenAfter.join ? known : (joined?.joinWith(known) ?? known);
    const key = [state, node.isOperationDone, node.notice?.name ?? '', widened.key].join('|');
    if (this.#seen.has(key)) return key;
    this.#ofState.set(state, { count: count + 1, joined: joined?.joinWith(assignment) ?? assignment });
    if (this.#seen.size >= maxNodes) {
      this.isCapped = true;
      return key;
    }
    this.#seen.add(key);
    this.#queue.push({
      ...node,
      assignment: widened,
      isOverApproximated: node.isOverApproximated || count >= widenAfter.forget,
      key,
    });
    return key;
  }
}
