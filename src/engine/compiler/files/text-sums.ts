import type { Operator } from '../../core/plugin.ts';
import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

/** Two rows of numbers, because a result for one of them may be a coincidence. */
const rows = [
  [4, 7, 20],
  [9, 30, 5],
] as const;
/** Operands to pass as texts. Text fields, addresses and responses may contain numbers as texts. */
const asTexts = [
  [true, false, false],
  [false, true, false],
  [false, false, true],
  [true, true, true],
];

/** Reports an operator that adds numbers but concatenates texts with digits: `1 + 2` is 3, but `'1' + 2` is "12". Returns `null` if it does not. */
export function joinsTexts(run: Operator): Localized | null {
  for (const isText of asTexts) {
    const tried = rows.map((row) => {
      const given = row.map((number, at) => (isText[at] === true ? String(number) : number));
      return { given, sum: run(...row), joined: run(...given) };
    });
    const [first] = tried;
    if (first && tried.every(({ sum, joined }) => typeof sum === 'number' && isJoined(joined, sum)))
      return say`it adds ${rows[0].join(', ')} to ${String(first.sum)}, and makes ${JSON.stringify(first.joined)} of ${JSON.stringify(first.given)}: make numbers of what it is given, by Number(…)`;
  }
  return null;
}

/** Whether a text of digits splits into numbers with this sum. */
function isJoined(joined: unknown, sum: number): boolean {
  if (typeof joined !== 'string' || !/^\d{2,}$/.test(joined)) return false;
  return [...joined.slice(1)].some((_, at) => {
    const [first, rest] = [joined.slice(0, at + 1), joined.slice(at + 1)];
    return Number(first) + Number(rest) === sum || isJoined(rest, sum - Number(first));
  });
}
