import type { Operator } from '../../core/plugin.ts';
import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';

/** Two rows of numbers: what an operator does to one may be chance, what it does to both is not. */
const rows = [
  [4, 7, 20],
  [9, 30, 5],
] as const;
/** Which of three numbers are given as texts, as a field of text, an address or an answer may hold them. */
const asTexts = [
  [true, false, false],
  [false, true, false],
  [false, false, true],
  [true, true, true],
];

/** Says that an operator adds numbers, and joins the same numbers where one of them is a text: `1 + 2` is 3, and `'1' + 2` is "12". Null: it does not. */
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

/** Whether a text is made of numbers in a row whose sum is this one. */
function isJoined(joined: unknown, sum: number): boolean {
  if (typeof joined !== 'string' || !/^\d{2,}$/.test(joined)) return false;
  return [...joined.slice(1)].some((_, at) => {
    const [first, rest] = [joined.slice(0, at + 1), joined.slice(at + 1)];
    return Number(first) + Number(rest) === sum || isJoined(rest, sum - Number(first));
  });
}
