import type { Branch, Flow } from '../../core/definition.ts';
import type { Json } from '../../core/json.ts';
import type { Node, Exploration } from './node.ts';
import { evaluateGuard, evaluateTemplate } from './evaluate-rules.ts';
import type { Assignment } from './assignment.ts';

/** Evaluates the branches of a flow and records which of them are taken. */
export class Choices implements Pick<Exploration, 'taken' | 'asked' | 'open' | 'insteadOf'> {
  readonly taken = new Map<Branch, Node>();
  readonly asked = new Set<Branch>();
  readonly open = new Set<Branch>();
  readonly insteadOf = new Map<Branch, Set<Branch>>();
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Follows every branch that may be the first with a true guard. Calls `follow` with `null` if none may be. */
  choose(
    branches: readonly Branch[],
    assignment: Assignment,
    node: Node,
    follow: (branch: Branch | null, assignment: Assignment, target: string | undefined) => void,
  ): void {
    let open: readonly Assignment[] = [assignment];
    branches.forEach((branch, index) => {
      this.asked.add(branch);
      if (open.length > 0) this.open.add(branch);
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
            follow(branch, end.assign(assigned), target);
        }
      open = rest;
    });
    for (const now of open) follow(null, now, undefined);
  }

  #shadow(branch: Branch, by: Branch): void {
    const known = this.insteadOf.get(branch) ?? new Set<Branch>();
    this.insteadOf.set(branch, known.add(by));
  }

  #targets(
    branch: Branch,
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
