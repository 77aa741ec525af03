import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import type { Spans } from '../../wording/wording.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A time in a text that is none of the server's: a limit was changed in one of the two places. */
export const textLimit: LintRule<Subject> = {
  id: 'text/limit',
  severity: 'W',
  find: (subject) => {
    const { spans, wording = {} } = subject.contract;
    if (!spans) return [];
    const saved = subject.flows.flatMap(({ flow }) => (flow.save ? [flow.save.days * dayMinutes] : []));
    const knownOf = (unit: number) => (unit === dayMinutes ? [...spans.days, ...saved] : spans.shorter);
    return Object.entries(wording).flatMap(([language, { spans: units }]) =>
      units
        ? textsIn(language, subject).flatMap(({ file, pointer, text }) =>
            spansIn(text, units)
              .filter(({ minutes, unit }) => !knownOf(unit).includes(minutes))
              .map(({ said, unit }): Finding => ({
                file,
                pointer,
                message: say`No time of the server is "${said}".`,
                hint: say`Write the one that holds, or a placeholder of the flow. Times of this unit: ${timesIn(unit, knownOf(unit))}.`,
              })),
          )
        : [],
    );
  },
};

const dayMinutes = 24 * 60;

function timesIn(unit: number, known: readonly number[]): string {
  const times = new Set(known.map((minutes) => minutes / unit).filter((time) => Number.isInteger(time)));
  return [...times].sort((a, b) => a - b).join(', ');
}

/** Every time that a text says: "2 horas". */
function spansIn(
  text: string,
  units: Spans,
): readonly { readonly said: string; readonly unit: number; readonly minutes: number }[] {
  const finder = new RegExp(String.raw`(?<![\d.,:])(\d+)\s+(${Object.keys(units).join('|')})(?!\p{L})`, 'giu');
  return [...text.matchAll(finder)].map(([said, number, word = '']) => {
    const unit = units[word.toLowerCase()] ?? 1;
    return { said, unit, minutes: Number(number) * unit };
  });
}
