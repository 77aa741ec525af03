import type { LintRule } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { say } from '../../../sources/say.ts';

/** A flow of which not every walk was seen: there are too many. */
export const walkCap: LintRule<Subject> = {
  id: 'walk/cap',
  severity: 'N',
  find: ({ flows }) =>
    flows
      .filter(({ exploration }) => exploration.capped)
      .map(({ file }) => ({
        file,
        pointer: '',
        message: say`It has too many walks: not all were seen.`,
        hint: say`Split the flow, or remove variables that no state reads.`,
      })),
};
