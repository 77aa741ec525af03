import { escapePointer } from '../../../../core/json-pointer.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { effectsOf, type LintedFlow, type Subject } from '../../subject.ts';

/** An operation that failed and is followed by what says that it went well: its branches were exchanged, or copied. */
export const walkOutcome: LintRule<Subject> = {
  id: 'walk/outcome',
  severity: 'W',
  find: ({ flows, screens }) => flows.flatMap((linted) => ofFlow(linted, screens)),
};

function ofFlow(linted: LintedFlow, screens: Subject['screens']): readonly Finding[] {
  const { flow, file, pointers } = linted;
  return effectsOf(linted).flatMap(({ effect: { src, onError }, name }) =>
    onError.flatMap((branch): readonly Finding[] => {
      const { notice, target } = branch;
      const at = pointers.get(branch);
      const { ui, id } = screens.get(flow.states[target ?? name]?.screen ?? '') ?? {};
      if (at === undefined || !ui) return [];
      if (notice !== undefined && ui.notices?.[notice]?.intent === 'success')
        return [
          {
            file,
            pointer: `${at}/notice`,
            message: say`"${src}" failed, and the notice "${notice}" says that it went well.`,
            hint: say`Raise a notice whose intent is "error" or "warning".`,
          },
        ];
      if (notice !== undefined || target === undefined || target === name || ui.tone !== 'success') return [];
      return [
        {
          file,
          pointer: at,
          message: say`"${src}" failed, and "${target}" follows, whose screen "${id ?? ''}" says that it went well.`,
          hint: say`Lead to another state, or stay and raise a "notice".`,
          related: [{ file: file.path, pointer: `/states/${escapePointer(target)}` }],
        },
      ];
    }),
  );
}
