import { expect, test } from 'vitest';
import { addDays, addMonths, findDayAfterKeyPress, findFirstMonth, getWeekdayIndex, listWeeks } from './widget.tsx';

test('listWeeks lays out a period from Monday to Sunday and leaves the days around it empty', () => {
  expect(listWeeks('2026-02-01', '2026-02-28')).toEqual([
    [null, null, null, null, null, null, '2026-02-01'],
    ...[2, 9, 16].map((monday) => [0, 1, 2, 3, 4, 5, 6].map((day) => addDays('2026-02-01', monday + day - 1))),
    ['2026-02-23', '2026-02-24', '2026-02-25', '2026-02-26', '2026-02-27', '2026-02-28', null],
  ]);
  expect(listWeeks('2026-11-30', '2026-12-02')).toEqual([
    ['2026-11-30', '2026-12-01', '2026-12-02', null, null, null, null],
  ]);
});

test('findFirstMonth skips months with a single day', () => {
  expect(findFirstMonth(['2026-11-30', '2026-12-04', '2026-12-07'])).toBe('2026-12');
  expect(findFirstMonth(['2026-11-29', '2026-11-30', '2026-12-04'])).toBe('2026-11');
  expect(findFirstMonth(['2026-11-30', '2026-12-04', '2027-01-04'])).toBe('2026-11');
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
