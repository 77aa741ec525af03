import { explain, type ProblemExplanation } from '../../sources/localized-text.ts';

interface ListNumberFault extends ProblemExplanation {
  /** Index of the first wrong number. */
  readonly at: number;
  readonly expected: number;
}

/** Finds the first number of a list that does not follow the previous one. A list may begin with any number if the others follow it. */
export function findListNumberFault(numbers: readonly number[]): ListNumberFault | undefined {
  const [first = 1, second] = numbers;
  const start = second === 2 ? 1 : first;
  const at = numbers.findIndex((number, index) => number !== start + index);
  const [previous, number, expected] = [numbers[at - 1], numbers[at], start + at];
  if (number === undefined) return undefined;
  const fault =
    previous === undefined
      ? explain`The list begins with ${number}.
        Write ${expected}.`
      : explain`The list jumps from ${previous} to ${number}.
        Write ${expected}.`;
  return { at, expected, ...fault };
}
