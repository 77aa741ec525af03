import { groupBy } from '../../group.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import type { AnalysedFlow, Subject } from '../../subject.ts';
import { trailOf } from '../../walk/moment.ts';
import { say } from '../../../sources/say.ts';

/** States that send a walk round before anything is drawn: `always`, by what they require, or by an operation whose failure calls it again. */
export const walkCircle: AnalysisRule<Subject> = {
  id: 'walk/circle',
  severity: 'E',
  find: ({ flows }) => flows.flatMap((analysed) => [...atOnce(analysed), ...byFailures(analysed)]),
};

function atOnce({ walked, file, placeOf }: AnalysedFlow): readonly Finding[] {
  return firstOfEach(walked.circles).map(({ moment, states }) => {
    const [first = ''] = states;
    return {
      file,
      pointer: placeOf(`/states/${escapePointer(first)}`),
      message: say`The walk goes round: ${roundOf(states)}.`,
      hint: say`Let one of these states be drawn, or lead elsewhere.`,
      walk: trailOf(moment),
    };
  });
}

function byFailures({ flow, walked, file, placeOf, pointers }: AnalysedFlow): readonly Finding[] {
  return firstOfEach(walked.rounds).map(({ moment, branch, states }) => ({
    file,
    pointer: pointers.get(branch) ?? placeOf(`/states/${escapePointer(moment.state)}/invoke`),
    message: say`Each time that "${flow.states[moment.state]?.invoke?.src ?? ''}" fails it is called again, without end: ${roundOf(states)}.`,
    hint: say`Let this failure lead to a state where something can be pressed, or raise a "notice" here without a "target".`,
    walk: trailOf(moment),
  }));
}

function roundOf(states: readonly string[]): string {
  return [...states, states[0] ?? ''].join(' → ');
}

/** One for the same states; none of moments to which maybe no walk leads. */
function firstOfEach<One extends Pick<AnalysedFlow['walked']['rounds'][number], 'moment' | 'states'>>(
  all: readonly One[],
): readonly One[] {
  const sure = all.filter(({ moment }) => !moment.rough);
  return [...groupBy(sure, ({ states }) => [...states].sort().join(' ')).values()].flatMap(([first]) => first ?? []);
}
