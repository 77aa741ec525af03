/** A day of the calendar, as YYYY-MM-DD. */
export type Day = string;

/** A day some days after another one. */
export function addDays(day: Day, days: number): Day {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The month of a day, as YYYY-MM. */
export function monthOf(day: Day): string {
  return day.slice(0, 7);
}

/** The first day of the month some months after that of a day. */
export function addMonths(day: Day, months: number): Day {
  const at = new Date(`${monthOf(day)}-01T00:00:00Z`);
  at.setUTCMonth(at.getUTCMonth() + months);
  return at.toISOString().slice(0, 10);
}

/** The day of the week, from 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: Day): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/** The weeks of a month from Monday on; null where a day is of another month. */
export function weeksOf(month: string): readonly (readonly (Day | null)[])[] {
  const first = `${month}-01`;
  const weeks: (Day | null)[][] = [];
  for (
    let monday = addDays(first, -weekdayOf(first));
    monday <= addDays(addMonths(first, 1), -1);
    monday = addDays(monday, 7)
  )
    weeks.push(
      [0, 1, 2, 3, 4, 5, 6]
        .map((offset) => addDays(monday, offset))
        .map((day) => (monthOf(day) === month ? day : null)),
    );
  return weeks;
}

/** Where a key of the calendar leads from a day (as in the APG's date grid); null: it is no such key. */
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
      return addDays(day, -weekdayOf(day));
    case 'End':
      return addDays(day, 6 - weekdayOf(day));
    case 'PageUp':
      return sameDayOf(addMonths(day, -1), day);
    case 'PageDown':
      return sameDayOf(addMonths(day, 1), day);
    default:
      return null;
  }
}

/** The day of a month with the number of another day; the month's last one where it is too short. */
function sameDayOf(first: Day, day: Day): Day {
  const wanted = addDays(first, Number(day.slice(8)) - 1);
  return monthOf(wanted) === monthOf(first) ? wanted : addDays(addMonths(first, 1), -1);
}
