import { escapePointer } from '../../../../core/json-pointer.ts';
import { effectOf } from '../../../../core/transition.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { LintedFlow, Subject } from '../../subject.ts';

/** Two events of one state that call the same operation with the same values: one was copied and not changed. */
export const eventTwice: LintRule<Subject> = {
  id: 'event/twice',
  severity: 'W',
  find: ({ flows }) => flows.flatMap(ofFlow),
};

function ofFlow({ flow, file, placeOf }: LintedFlow): readonly Finding[] {
  return Object.entries(flow.states).flatMap(([name, { on = {} }]) => {
    const calls = Object.entries(on).flatMap(([event, transition]) =>
      effectOf(transition) ? [{ event, does: JSON.stringify(transition) }] : [],
    );
    return calls.flatMap(({ event, does }, index): readonly Finding[] => {
      const first = calls.slice(0, index).find((one) => one.does === does);
      if (!first) return [];
      return [
        {
          file,
          pointer: placeOf(`/states/${escapePointer(name)}/on/${escapePointer(event)}`),
          message: say`"${event}" does the same as "${first.event}".`,
          hint: say`Write what it does, or let one button raise both.`,
        },
      ];
    });
  });
}
