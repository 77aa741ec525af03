import type { LintRule, Finding } from '../finding.ts';
import type { LintOptions } from '../options.ts';
import { effectsOf, type LintedFlow, type Subject } from '../subject.ts';
import { formatPath } from '../../explore/node.ts';
import { say } from '../../sources/say.ts';

/** An operation for who is signed in, made where nobody has to be. */
export const operationAccess: LintRule<Subject> = {
  id: 'operation/access',
  severity: 'E',
  find: ({ flows, contract }) => flows.flatMap((linted) => ofFlow(linted, contract)),
};

function ofFlow(linted: LintedFlow, { operations }: LintOptions): readonly Finding[] {
  const places = new Map(effectsOf(linted).map(({ effect, at }) => [effect, at]));
  const found = new Map<string, Finding>();
  for (const { node, effect, assignment } of linted.exploration.operations) {
    const at = places.get(effect);
    if (operations[effect.src]?.open !== false || at === undefined || node.rough || assignment.guarded || found.has(at))
      continue;
    found.set(at, {
      file: linted.file,
      pointer: at,
      message: say`The operation ${effect.src} is for who is signed in, and anybody comes to "${node.state}".`,
      hint: say`Give the state "access": "citizen" or "account", or require { "var": "user.id" }.`,
      walk: formatPath(node),
    });
  }
  return [...found.values()];
}
