import { describe, expect, test } from 'vitest';
import { formatDateInWords } from '../../src/contract/format/date-in-words.ts';
import {
  formatDateTimeInWords,
  toUruguayIsoDate,
  formatShortDateTime,
  formatShortDate,
  parseUruguayInstant,
  isIsoDate,
  addToDate,
  toUruguayIsoTime,
  toWeekday,
} from '../../src/contract/format/dates.ts';

describe('[SEG-04] formatInstant', () => {
  test.each([
    ['an instant in UTC', '2026-03-02T15:04:59Z', '02/03/2026, 12:04\u00a0hs'],
    ['an instant on the previous day', '2026-03-02T01:30:00Z', '01/03/2026, 22:30\u00a0hs'],
    ['an instant in the previous year', '2026-01-01T02:59:00Z', '31/12/2025, 23:59\u00a0hs'],
    ['an instant with the Uruguayan offset', '2026-03-02T15:04:00-03:00', '02/03/2026, 15:04\u00a0hs'],
    ['an instant with another offset', '2026-03-02T15:04:00+09:00', '02/03/2026, 03:04\u00a0hs'],
    ['midnight', '2026-03-02T03:00:00Z', '02/03/2026, 00:00\u00a0hs'],
    ['an instant in the daylight saving time of 2014', '2014-01-10T12:00:00Z', '10/01/2014, 10:00\u00a0hs'],
  ])('formats %s in official Uruguayan time', (_, moment, text) => {
    expect(formatShortDateTime(moment)).toBe(text);
  });

  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])(
    'ignores the time zone of the environment: %s',
    (zone) => {
      const before = process.env.TZ;
      process.env.TZ = zone;
      expect(formatShortDateTime('2026-03-02T15:04:00Z')).toBe('02/03/2026, 12:04\u00a0hs');
      process.env.TZ = before;
    },
  );
});

describe('official Uruguayan time', () => {
  test.each([
    ['2026-12-01', '09:00', '2026-12-01T12:00:00.000Z'],
    ['2026-12-01', '23:30:15', '2026-12-02T02:30:15.000Z'],
    ['2014-12-01', '09:00', '2014-12-01T11:00:00.000Z'],
    ['2014-10-05', '01:00', '2014-10-05T04:00:00.000Z'],
    ['2014-10-05', '03:00', '2014-10-05T05:00:00.000Z'],
    ['2015-03-08', '03:00', '2015-03-08T06:00:00.000Z'],
    ['1999-12-31', '00:00', '1999-12-31T03:00:00.000Z'],
  ])('%s at %s is converted to %s and back', (date, time, expected) => {
    const instant = parseUruguayInstant(date, time);
    expect(instant.toISOString()).toBe(expected);
    expect([toUruguayIsoDate(instant), toUruguayIsoTime(instant)]).toEqual([date, time.padEnd(8, ':00')]);
  });

  test('toUruguayIsoTime truncates milliseconds', () => {
    expect(toUruguayIsoTime(new Date('2026-12-01T12:00:00.999Z'))).toBe('09:00:00');
  });

  test.each([
    ['2026-12-31', { days: 1 }, '2027-01-01'],
    ['2028-02-28', { days: 1 }, '2028-02-29'],
    ['2026-11-30', { months: 3 }, '2027-02-28'],
    ['2026-03-31', { months: -1, days: 1 }, '2026-03-01'],
    ['2026-01-15', { days: -15 }, '2025-12-31'],
  ])('addToDate with %s and %j returns %s', (date, step, expected) => expect(addToDate(date, step)).toBe(expected));

  test.each([
    ['2026-11-29', 7],
    ['2026-11-30', 1],
  ])('toWeekday maps %s to weekday %i', (date, day) => expect(toWeekday(date)).toBe(day));

  test.each(['2026-02-29', '2026-13-01', '2026-02-32', '2026-00-10', '1799-12-31', '2200-01-01', '2026-1-1', ''])(
    'isIsoDate rejects %j',
    (text) => expect(isIsoDate(text)).toBe(false),
  );
  test.each(['1800-01-01', '2028-02-29', '2199-12-31'])('isIsoDate accepts %s', (text) =>
    expect(isIsoDate(text)).toBe(true),
  );
});

test.each([
  ['es', 'lunes 7 de setiembre, 23:45', 'martes 8 de setiembre de 2026'],
  ['pt', '7 de setembro, 23:45', '8 de setembro de 2026'], // the expected date has no weekday, which would require another preposition: 'na segunda-feira', not 'em'
] as const)(
  '[SEG-04] appointments and days are formatted in %s for use inside a sentence, with the year only in another year',
  (language, instant, day) => {
    expect([
      formatDateTimeInWords(new Date('2026-09-08T02:45:00Z'), language, new Date('2027-01-01T02:59:00Z')),
      formatDateInWords('2026-09-08', language, '2027-01-01'),
      formatShortDate('2026-09-08'),
    ]).toEqual([instant, day, '08/09/2026']);
  },
);
