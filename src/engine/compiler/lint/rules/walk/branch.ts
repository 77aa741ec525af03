import { groupBy } from '../../group.ts';
import type { Branch } from '../../../../core/definition.ts';
import { variablesOf } from '../../../../core/logic.ts';
import { isUnconditional } from '../../../flow/written-flow.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { branchesIn, type LintedFlow, type Subject } from '../../subject.ts';
import { say } from '../../../sources/say.ts';

/** A branch that no walk takes: its guard never holds, or those before it take every such case. */
export const walkBranch: LintRule<Subject> = {
  id: 'walk/branch',
  severity: 'E',
  find: ({ flows }) => flows.flatMap(ofFlow),
};

function ofFlow(linted: LintedFlow): readonly Finding[] {
  const { exploration, file, pointers } = linted;
  if (exploration.capped) return [];
  const byPlace = groupBy(branchesIn(linted), ([, at]) => at);
  return [...byPlace].flatMap(([pointer, placed]): Finding[] => {
    const branches = placed.map(([branch]) => branch).filter((branch) => exploration.asked.has(branch));
    // The last one must be there, also where those before it leave nothing over.
    if (branches.length === 0 || branches.some((branch) => isUnconditional(branch) || exploration.taken.has(branch)))
      return [];
    const earlier = takenBefore(branches, exploration.insteadOf).flatMap((branch) => pointers.get(branch) ?? []);
    const { guard } = branches[0] ?? {};
    const names = guard === undefined ? '' : variablesOf(guard).join(', ');
    const takers = [...new Set(earlier)].join(', ');
    const why = branches.some((branch) => exploration.open.has(branch))
      ? say`its guard (${names}) never holds`
      : say`${takers} takes every such case`;
    return [
      {
        file,
        pointer,
        message: say`This branch is never taken: ${why}.`,
        hint: say`Put the narrower guard before the wider one, or remove the branch.`,
        related: [...new Set(earlier)].map((at) => ({ file: file.path, pointer: at })),
      },
    ];
  });
}

function takenBefore(
  branches: readonly Branch[],
  insteadOf: ReadonlyMap<Branch, ReadonlySet<Branch>>,
): readonly Branch[] {
  return branches.flatMap((branch) => [...(insteadOf.get(branch) ?? [])]);
}
