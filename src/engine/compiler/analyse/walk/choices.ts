import type { Branch, Flow } from '../../../core/definition.ts';
import type { Json } from '../../../core/json.ts';
import type { Moment, Walked } from './moment.ts';
import { forksOf, valueOf } from './rules-of-world.ts';
import type { World } from './world.ts';

/** The branches of a flow, and which of them walks took. */
export class Choices implements Pick<Walked, 'taken' | 'asked' | 'open' | 'insteadOf'> {
  readonly taken = new Map<Branch, Moment>();
  readonly asked = new Set<Branch>();
  readonly open = new Set<Branch>();
  readonly insteadOf = new Map<Branch, Set<Branch>>();
  readonly #flow: Flow;

  constructor(flow: Flow) {
    this.#flow = flow;
  }

  /** Follows every branch that may be the first whose guard holds; null: none does. */
  choose(
    branches: readonly Branch[],
    world: World,
    moment: Moment,
    follow: (branch: Branch | null, world: World, target: string | undefined) => void,
  ): void {
    let open: readonly World[] = [world];
    branches.forEach((branch, index) => {
      this.asked.add(branch);
      if (open.length > 0) this.open.add(branch);
      const rest: World[] = [];
      for (const now of open)
        for (const fork of forksOf(branch.guard, now)) {
          if (!fork.holds) {
            rest.push(fork.world);
            continue;
          }
          if (!this.taken.has(branch)) this.taken.set(branch, { ...moment, world: fork.world });
          for (const later of branches.slice(index + 1)) this.#shadow(later, branch);
          const assigned = Object.entries(branch.assign ?? {}).map(
            ([name, template]) => [name, valueOf(template, fork.world)] as const,
          );
          for (const { target, world: end } of this.#targets(branch, fork.world))
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

  #targets(branch: Branch, world: World): readonly { readonly target: string | undefined; readonly world: World }[] {
    if (branch.challenge === undefined) return [{ target: branch.target, world }];
    const { '*': other, ...steps } = this.#flow.challenges ?? {};
    const found: { target: string | undefined; world: World }[] = [];
    let open: readonly World[] = [world];
    for (const [name, target] of Object.entries(steps)) {
      const forks = open.flatMap((now) => forksOf({ '==': [branch.challenge as Json, name] }, now));
      found.push(...forks.filter(({ holds }) => holds).map((fork) => ({ target, world: fork.world })));
      open = forks.filter(({ holds }) => !holds).map((fork) => fork.world);
    }
    return [...found, ...open.map((now) => ({ target: other, world: now }))];
  }
}
