import type { StateSpaceNode, FlowExploration } from './state-space.ts';
import type { AbstractAssignment } from './abstract-assignment.ts';
import type { TransitionBranch, Flow } from '../../core/flow-and-screen-types.ts';
import type { Json } from '../../core/json.ts';
import { listGuardOutcomes, evaluateTemplateAbstractly } from './evaluate-rules.ts';

export class BranchExplorer implements Pick<
  FlowExploration,
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
    assignment: AbstractAssignment,
    node: StateSpaceNode,
    follow: (branch: TransitionBranch | null, assignment: AbstractAssignment, target: string | undefined) => void,
  ): void {
    let open: readonly AbstractAssignment[] = [assignment];
    branches.forEach((branch, index) => {
      this.candidateBranches.add(branch);
      if (open.length > 0) this.evaluatedBranches.add(branch);
      const rest: AbstractAssignment[] = [];
      for (const now of open)
        for (const fork of listGuardOutcomes(branch.guard, now)) {
          if (!fork.holds) {
            rest.push(fork.assignment);
            continue;
          }
          if (!this.taken.has(branch)) this.taken.set(branch, { ...node, assignment: fork.assignment });
          for (const later of branches.slice(index + 1)) this.#shadow(later, branch);
          const assigned = Object.entries(branch.assign ?? {}).map(
            ([name, template]) => [name, evaluateTemplateAbstractly(template, fork.assignment)] as const,
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
    assignment: AbstractAssignment,
  ): readonly { readonly target: string | undefined; readonly assignment: AbstractAssignment }[] {
    if (branch.challenge === undefined) return [{ target: branch.target, assignment }];
    const { '*': other, ...steps } = this.#flow.challenges ?? {};
    const found: { target: string | undefined; assignment: AbstractAssignment }[] = [];
    let open: readonly AbstractAssignment[] = [assignment];
    for (const [name, target] of Object.entries(steps)) {
      const forks = open.flatMap((now) => listGuardOutcomes({ '==': [branch.challenge as Json, name] }, now));
      found.push(...forks.filter(({ holds }) => holds).map((fork) => ({ target, assignment: fork.assignment })));
      open = forks.filter(({ holds }) => !holds).map((fork) => fork.assignment);
    }
    return [...found, ...open.map((now) => ({ target: other, assignment: now }))];
  }
}
