import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);

/** `YYYY-MM-DD`. */
export type Day = string;

const format = 'YYYY-MM-DD';

export function addDays(day: Day, days: number): Day {
  return dayjs.utc(day).add(days, 'day').format(format);
}

export function toMonth(day: Day): string {
  return day.slice(0, 7);
}

/** Returns the same day some months later, or the last day of that month if it is shorter. */
export function addMonths(day: Day, months: number): Day {
  return dayjs.utc(day).add(months, 'month').format(format);
}

/** Returns the day of the week, from 0 (Monday) to 6 (Sunday). */
export function toWeekday(day: Day): number {
  return (dayjs.utc(day).day() + 6) % 7;
}

/** Returns the weeks of a month, from Monday on. Days of other months are `null`. */
export function listWeeks(month: string): readonly (readonly (Day | null)[])[] {
  const first = `${month}-01`;
  const before = toWeekday(first);
  const count = Math.ceil((before + dayjs.utc(first).daysInMonth()) / 7);
  return Array.from({ length: count }, (_week, week) =>
    Array.from({ length: 7 }, (_day, weekday) => addDays(first, week * 7 + weekday - before)).map((day) =>
      toMonth(day) === month ? day : null,
    ),
  );
}

/** Returns the day to which a key moves the focus (APG date grid pattern). Returns `null` for any other key. */
export function dayByKey(key: string, day: Day): Day | null {
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -toWeekday(day));
    case 'End':
      return addDays(day, 6 - toWeekday(day));
    case 'PageUp':
      return addMonths(day, -1);
    case 'PageDown':
      return addMonths(day, 1);
    default:
      return null;
  }
}
