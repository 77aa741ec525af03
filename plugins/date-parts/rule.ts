import { defineRule, type RuleFailure } from '../../src/engine/core/plugin.ts';

interface Bounds {
  readonly from?: string;
  readonly to?: string;
}

const date = { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' } as const;

/** Validates `YYYY-MM-DD`, optionally between inclusive bounds. The message says which part is missing. */
export const rules = [
  defineRule<true | Bounds>({
    keyword: 'calendarDate',
    level: 'field',
    types: ['string'],
    parameters: {
      anyOf: [{ const: true }, { type: 'object', properties: { from: date, to: date }, additionalProperties: false }],
    },
    check: ({ value, parameters }) => {
      if (typeof value !== 'string') return null;
      const { from = value, to = value } = parameters === true ? {} : parameters;
      return (
        findFault(value) ??
        (value < from ? { reason: 'early', values: { date: formatDate(from) } } : null) ??
        (value > to ? { reason: 'late', values: { date: formatDate(to) } } : null)
      );
    },
  }),
];

function findFault(value: string): RuleFailure | null {
  const parts = value.split('-');
  const [year = '', month = '', day = ''] = parts;
  if (parts.length !== 3) return {};
  if (day === '') return { reason: 'day' };
  if (month === '') return { reason: 'month' };
  if (year === '') return { reason: 'year' };
  if (!/^\d{4}$/.test(year)) return { reason: 'digits' };
  if (!/^\d{2}$/.test(month) || !/^\d{2}$/.test(day)) return {};
  return Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= countDaysIn(Number(year), Number(month))
    ? null
    : {};
}

function countDaysIn(year: number, month: number): number {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0); // Day 0 is the last day of the previous month. The constructor of `Date` would read a year below 100 as 19xx.
  return last.getUTCDate();
}

function formatDate(date: string): string {
  return date.split('-').reverse().join('/');
}
