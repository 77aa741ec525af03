import { say, type AnalysisRule } from '../finding.ts';
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
        message: say('Tiene demasiados recorridos: no se vieron todos.', 'It has too many walks: not all were seen.'),
        hint: say(
          'Partí el flujo, o quitá variables que ningún estado lee.',
          'Split the flow, or remove variables that no state reads.',
        ),
      })),
};
