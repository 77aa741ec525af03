import { isCalendarDate } from '../../src/engine/core/format-date.ts';
import { defineRule, type RuleFailure } from '../../src/engine/core/plugin-rule.ts';

const date = {
  type: 'string',
  format: 'date',
  examples: ['2027-12-31'],
} as const;

/** Validates `YYYY-MM-DD`, optionally between inclusive bounds. The message says which part is missing. */
export const rules = [
  defineRule<true | { readonly from?: string; readonly to?: string }>({
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
  return isCalendarDate(value) ? null : {};
}

function formatDate(date: string): string {
  return date.split('-').reverse().join('/');
}
