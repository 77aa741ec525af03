import type { AnalysisRule, Finding } from '../finding.ts';
import type { AnalysisOptions } from '../options.ts';
import { effectsOf, type AnalysedFlow, type Subject } from '../subject.ts';
import { trailOf } from '../walk/moment.ts';
import { say } from '../../sources/say.ts';

/** An operation for who is signed in, made where nobody has to be. */
export const operationAccess: AnalysisRule<Subject> = {
  id: 'operation/access',
  severity: 'E',
  find: ({ flows, contract }) => flows.flatMap((analysed) => ofFlow(analysed, contract)),
};

function ofFlow(analysed: AnalysedFlow, { operations }: AnalysisOptions): readonly Finding[] {
  const places = new Map(effectsOf(analysed).map(({ effect, at }) => [effect, at]));
  const found = new Map<string, Finding>();
  for (const { moment, effect, world } of analysed.walked.operations) {
    const at = places.get(effect);
    if (operations[effect.src]?.open !== false || at === undefined || moment.rough || world.guarded || found.has(at))
      continue;
    found.set(at, {
      file: analysed.file,
      pointer: at,
      message: say`The operation ${effect.src} is for who is signed in, and anybody comes to "${moment.state}".`,
      hint: say`Give the state "access": "citizen" or "account", or require { "var": "user.id" }.`,
      walk: trailOf(moment),
    });
  }
  return [...found.values()];
}
