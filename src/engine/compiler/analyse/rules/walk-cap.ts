import { t, type AnalysisRule } from '../finding.ts';
import type { Subject } from '../subject.ts';

/** A flow of which not every walk was seen: there are too many. */
export const walkCap: AnalysisRule<Subject> = {
  id: 'walk/cap',
  severity: 'N',
  find: ({ flows }) =>
    flows
      .filter(({ walked }) => walked.capped)
      .map(({ file }) => ({
        file,
        pointer: '',
        message: t('walk-cap.itHasTooMany'),
        hint: t('walk-cap.splitTheFlowOr'),
      })),
};
