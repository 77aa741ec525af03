import { describe, expect, test } from 'vitest';
import { dateOf, instantAt, isDate, laterDate, timeOf, weekdayOf } from '../../../src/server/platform/base/zone.ts';

describe('official time, of Uruguay, whose summer time ended for good in 2015', () => {
  test.each([
    ['2026-12-01', '09:00', '2026-12-01T12:00:00.000Z'],
    ['2026-12-01', '23:30:15', '2026-12-02T02:30:15.000Z'],
    ['2014-12-01', '09:00', '2014-12-01T11:00:00.000Z'],
    ['2014-10-05', '01:00', '2014-10-05T04:00:00.000Z'],
    ['2014-10-05', '03:00', '2014-10-05T05:00:00.000Z'],
    ['2015-03-08', '03:00', '2015-03-08T06:00:00.000Z'],
    ['1999-12-31', '00:00', '1999-12-31T03:00:00.000Z'],
  ])('%s at %s is %s, and back', (date, time, expected) => {
    const instant = instantAt(date, time);
    expect(instant.toISOString()).toBe(expected);
    expect([dateOf(instant), timeOf(instant)]).toEqual([date, time.padEnd(8, ':00')]);
  });

  test('an instant between two seconds is of the one that has begun', () => {
    expect(timeOf(new Date('2026-12-01T12:00:00.999Z'))).toBe('09:00:00');
  });

  test.each([
    ['2026-12-31', { days: 1 }, '2027-01-01'],
    ['2028-02-28', { days: 1 }, '2028-02-29'],
    ['2026-11-30', { months: 3 }, '2027-02-28'],
    ['2026-03-31', { months: -1, days: 1 }, '2026-03-01'],
    ['2026-01-15', { days: -15 }, '2025-12-31'],
  ])('%s and %j are %s', (date, step, expected) => expect(laterDate(date, step)).toBe(expected));

  test.each([
    ['2026-11-29', 7],
    ['2026-11-30', 1],
  ])('%s is day %i of its week', (date, day) => expect(weekdayOf(date)).toBe(day));

  test.each(['2026-02-29', '2026-13-01', '2026-02-32', '2026-00-10', '1799-12-31', '2200-01-01', '2026-1-1', ''])(
    '%j is no date',
    (text) => expect(isDate(text)).toBe(false),
  );
  test.each(['1800-01-01', '2028-02-29', '2199-12-31'])('%s is one', (text) => expect(isDate(text)).toBe(true));
});
