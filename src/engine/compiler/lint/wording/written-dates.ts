import { explain, type ProblemExplanation } from '../../sources/localized-text.ts';

/** Names of the weekdays and months with their numbers, from 1. Monday is 1. */
export type CalendarWords = Readonly<Record<'weekdays' | 'months', Readonly<Record<string, number>>>>;

interface WrittenDate {
  /** The date as written, with the weekday. */
  readonly said: string;
  readonly at: number;
  readonly weekday: string | undefined;
  /** Day, month from 1, and the year if the text has one. */
  readonly parts: readonly [day: number, month: number, year: number | undefined];
}

/** Returns a function that finds dates in words or digits, such as "lunes 3 de mayo de 2027" and "03/05/2027". */
function createDateFinder({ weekdays, months }: CalendarWords): (text: string) => readonly WrittenDate[] {
  const weekday = String.raw`(?:(?<![\p{L}-])(${Object.keys(weekdays).join('|')}),?\s+)?(?<![\p{L}\d.,/:])`;
  const inWords = String.raw`(\d{1,2})(?:\.?[º°])?\s+\p{L}+\s+(${Object.keys(months).join('|')})(?!\p{L})(?:,?\s+(?:de\p{L}*\s+)?(\d{4})(?!\d))?`;
  const inDigits = String.raw`(\d{1,2})/(\d{1,2})/(\d{4})(?!\d)`;
  const dates = [inWords, inDigits].map((date) => new RegExp(weekday + date, 'giu'));
  return (text) =>
    dates.flatMap((date) =>
      [...text.matchAll(date)].map(({ 0: said, 1: name, 2: day, 3: month = '', 4: year, index: at }) => {
        const number = months[month.toLowerCase()] ?? Number(month);
        return { said, at, weekday: name, parts: [Number(day), number, year === undefined ? undefined : Number(year)] };
      }),
    );
}

/** Returns a function that finds dates that do not exist, such as "31 de noviembre", and dates with a wrong weekday. */
export function createImpossibleDateFinder(words: CalendarWords) {
  const { weekdays } = words;
  const findDates = createDateFinder(words);
  return (text: string): readonly { readonly at: number; readonly problem: ProblemExplanation }[] =>
    findDates(text).flatMap(({ said, at, weekday, parts: [day, month, year] }) => {
      const actual = new Date(Date.UTC(year ?? 2000, month - 1, day)); // without a year, February 29 may exist
      if (actual.getUTCDate() !== day || actual.getUTCMonth() !== month - 1)
        return {
          at,
          problem: explain`The date "${said}" does not exist.
          Correct the day or the month.`,
        };
      if (weekday === undefined || year === undefined || weekdays[weekday.toLowerCase()] === (actual.getUTCDay() || 7))
        return [];
      const right = Object.keys(weekdays).find((own) => weekdays[own] === (actual.getUTCDay() || 7)) ?? '';
      return {
        at,
        problem: explain`The weekday of "${said}" is wrong: that day is "${right}".
        Correct the weekday or the date.`,
      };
    });
}

/**
 * Returns the dates of a text that are neither a limit nor the day before or after one, because "before 1 May" excludes that day. Ignores dates
 * without a year. `limits` are ISO dates.
 */
export function findOtherDates(text: string, limits: readonly string[], words: CalendarWords): readonly string[] {
  const day = 86_400_000;
  const known = limits.flatMap((limit) => [-day, 0, day].map((distance) => Date.parse(limit) + distance));
  return createDateFinder(words)(text).flatMap(({ said, parts: [date, month, year] }) =>
    year === undefined || known.includes(Date.UTC(year, month - 1, date)) ? [] : said,
  );
}

/** Returns a function that finds past dates with a year after one of the words `until`, as in "hasta el 31/12/2024". */
export function createPastDateFinder(words: CalendarWords, until: readonly string[]) {
  const findDates = createDateFinder(words);
  const lead = new RegExp(String.raw`(?<!\p{L})(?:${until.join('|')})\s+$`, 'iu');
  return (text: string): readonly ProblemExplanation[] =>
    findDates(text).flatMap(({ said, at, parts: [day, month, year] }) => {
      const before = lead.exec(text.slice(0, at));
      if (!before || year === undefined || Date.UTC(year, month - 1, day) >= Date.now()) return [];
      const deadline = before[0] + said;
      return explain`The date in "${deadline}" has passed.
        Write a later date or a placeholder of the flow, or remove the text.`;
    });
}

/** Words before the two ends of a range, e.g. { "entre": "y" }, and words of changes, whose numbers may decrease. */
export interface RangeWords {
  readonly ends: Readonly<Record<string, string>>;
  readonly changes: readonly string[];
}

/** Returns a function that finds ranges whose start is after their end, such as "de 10 a 5 días". */
export function createReversedRangeFinder({ ends, changes }: RangeWords, months: CalendarWords['months'] = {}) {
  const [number, month] = [
    String.raw`(\d+(?:[.:]\d+)?)`,
    String.raw`(?:\s+\p{L}+\s+(${Object.keys(months).join('|')}))?`,
  ];
  const ranges = Object.entries(ends).map(
    ([from, to]) =>
      new RegExp(String.raw`(?<!\p{L})${from}\s+${number}${month}\s+${to}\s+${number}${month}(?![\d/:])`, 'giu'),
  );
  const isChange = new RegExp(String.raw`(?<!\p{L})(?:${changes.join('|')})\p{L}*\s`, 'iu');
  const read = (value = '') => Number(value.replace('.', '').replace(':', '.'));
  return (text: string): readonly { readonly at: number; readonly problem: ProblemExplanation }[] =>
    (/\d.*\d/s.test(text) ? ranges : [])
      .flatMap((range) => [...text.matchAll(range)])
      .flatMap(({ 0: said, 1: first, 2: firstMonth, 3: second, 4: secondMonth, index: at }) => {
        const isAcross = firstMonth !== undefined && firstMonth.toLowerCase() !== secondMonth?.toLowerCase();
        if (read(first) <= read(second) || isAcross || isChange.test(text.slice(0, at))) return [];
        const problem = explain`The range "${said}" ends before it begins.
          Write the smaller number first.`;
        return { at, problem };
      });
}
