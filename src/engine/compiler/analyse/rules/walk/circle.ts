import { groupBy } from '../../group.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { AnalysisRule } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { trailOf } from '../../walk/moment.ts';
import { say } from '../../../sources/say.ts';

/** States that send a walk round, `always` or by what they require, before anything is drawn. */
export const walkCircle: AnalysisRule<Subject> = {
  id: 'walk/circle',
  severity: 'E',
  find: ({ flows }) =>
    flows.flatMap(({ walked, file, placeOf }) => {
      const bySet = groupBy(
        walked.circles.filter(({ moment }) => !moment.rough),
        ({ states }) => [...states].sort().join(' '),
      );
      return [...bySet.values()].flatMap(([circle]) => {
        if (!circle) return [];
        const [first = ''] = circle.states;
        const round = [...circle.states, first].join(' → ');
        return [
          {
            file,
            pointer: placeOf(`/states/${escapePointer(first)}`),
            message: say`The walk goes round: ${round}.`,
            hint: say`Let one of these states be drawn, or lead elsewhere.`,
            walk: trailOf(circle.moment),
          },
        ];
      });
    }),
};
