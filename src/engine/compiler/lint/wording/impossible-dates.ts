import { explain, type ProblemExplanation } from '../../sources/localized-text.ts';

/** Names of the weekdays and months with their numbers, from 1. Monday is 1. */
export type CalendarWords = Readonly<Record<'weekdays' | 'months', Readonly<Record<string, number>>>>;

/** Returns a function that finds dates that do not exist, such as "31 de noviembre", and dates with a wrong weekday. */
export function createImpossibleDateFinder({ weekdays, months }: CalendarWords) {
  const weekday = String.raw`(?:(?<![\p{L}-])(${Object.keys(weekdays).join('|')}),?\s+)?`;
  const date = new RegExp(
    String.raw`${weekday}(?<![\p{L}\d.,/:])(\d{1,2})(?:\.?[º°])?\s+\p{L}+\s+(${Object.keys(months).join('|')})(?!\p{L})(?:,?\s+(?:de\p{L}*\s+)?(\d{4})(?!\d))?`,
    'giu',
  );
  return (text: string): readonly { readonly at: number; readonly problem: ProblemExplanation }[] =>
    [...text.matchAll(date)].flatMap(({ 0: said, 1: name, 2: day, 3: month = '', 4: year, index: at }) => {
      // without a year, February 29 may exist
      const actual = new Date(Date.UTC(Number(year ?? 2000), (months[month.toLowerCase()] ?? 0) - 1, Number(day)));
      if (actual.getUTCDate() !== Number(day))
        return {
          at,
          problem: explain`The date "${said}" does not exist.
          Correct the day or the month.`,
        };
      if (name === undefined || year === undefined || weekdays[name.toLowerCase()] === (actual.getUTCDay() || 7))
        return [];
      const right = Object.keys(weekdays).find((own) => weekdays[own] === (actual.getUTCDay() || 7)) ?? '';
      return {
        at,
        problem: explain`The weekday of "${said}" is wrong: that day is "${right}".
        Correct the weekday or the date.`,
      };
    });
}
