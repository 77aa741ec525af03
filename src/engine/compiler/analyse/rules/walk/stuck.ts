import { decide } from '../../walk/rules-of-world.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import { anything } from '../../shapes.ts';
import type { AnalysedFlow, Subject } from '../../subject.ts';
import { partsOf } from '../../walk/drawn.ts';
import { trailOf, type Moment } from '../../walk/moment.ts';
import { say } from '../../../sources/say.ts';

/** A moment at which nothing can be pressed, or nothing is drawn at all. */
export const walkStuck: AnalysisRule<Subject> = {
  id: 'walk/stuck',
  severity: 'E',
  find: (subject) => subject.flows.flatMap((analysed) => [...stuck(analysed, subject), ...blank(analysed)]),
};

function stuck({ flow, file, placeOf, walked }: AnalysedFlow, { screens }: Subject): readonly Finding[] {
  const found = new Map<string, Finding>();
  for (const moment of walked.moments) {
    const state = flow.states[moment.state];
    const ui = screens.get(state?.screen ?? '')?.ui;
    if (!state || !ui || !moment.open || moment.rough || state.block !== undefined || state.after) continue;
    const ways = partsOf(ui).filter(({ leads }) => leads);
    const world = moment.world.enterRoots([['form', anything]]);
    const notice = ui.notices?.[moment.notice?.name ?? ''];
    if (ways.length === 0 || found.has(moment.state) || notice?.link) continue; // a screen without any says so by "final"
    if (ways.some(({ visible }) => decide(visible, world) !== false)) continue;
    found.set(moment.state, {
      file,
      pointer: placeOf(`/states/${escapePointer(moment.state)}`),
      message: say`Nothing can be pressed in "${moment.state}": all of it is hidden.`,
      hint: say`Leave a button or a link visible in each case.`,
      walk: trailOf(moment),
    });
  }
  return [...found.values()];
}

function blank({ file, placeOf, walked }: AnalysedFlow): readonly Finding[] {
  const first = new Map<string, { moment: Moment; by: string }>();
  for (const one of walked.blank) if (!first.has(one.moment.state)) first.set(one.moment.state, one);
  return [...first.values()].map(({ moment, by }) => ({
    file,
    pointer: placeOf(`/states/${escapePointer(moment.state)}`),
    message: say`The walk stays in "${moment.state}", which draws nothing.`,
    hint: say`Give each case a target or an address.`,
    walk: by === '' ? trailOf(moment) : `${trailOf(moment)} ${by}→`,
  }));
}
