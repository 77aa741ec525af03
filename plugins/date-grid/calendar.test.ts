import { expect, test } from 'vitest';
import { addDays, addMonths, findDayAfterKeyPress, getWeekdayIndex, listWeeksOfMonth } from './widget.tsx';

test('listWeeksOfMonth lays out a month from Monday to Sunday and leaves the days of other months empty', () => {
  expect(listWeeksOfMonth('2026-02')).toEqual([
    [null, null, null, null, null, null, '2026-02-01'],
    ...[2, 9, 16].map((monday) => [0, 1, 2, 3, 4, 5, 6].map((day) => addDays('2026-02-01', monday + day - 1))),
    ['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', null],
  ]);
  expect(listWeeksOfMonth('2027-03')[0]?.[0]).toBe('2027-03-01'); // the first of March 2027 is a Monday
  expect(listWeeksOfMonth('2026-11').at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null]);
});

test('addDays and addMonths cross the ends of months and years, and toWeekday counts from Monday', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  expect(addMonths('2026-12-31', 1)).toBe('2027-01-31');
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
  expect(['2026-11-23', '2026-11-29'].map(getWeekdayIndex)).toEqual([0, 6]);
});

test.each([
  ['ArrowLeft', '2026-12-01', '2026-11-30'],
  ['ArrowRight', '2026-12-31', '2027-01-01'],
  ['ArrowUp', '2026-12-01', '2026-11-24'],
  ['ArrowDown', '2026-12-31', '2027-01-07'],
  ['Home', '2026-12-03', '2026-11-30'],
  ['End', '2026-12-03', '2026-12-06'],
  ['PageDown', '2027-01-31', '2027-02-28'],
  ['PageUp', '2027-01-31', '2026-12-31'],
  ['Enter', '2026-12-01', null],
])('findDayAfterKeyPress maps the key %s on %s to %s', (key, day, to) =>
  expect(findDayAfterKeyPress(key, day)).toBe(to),
);
