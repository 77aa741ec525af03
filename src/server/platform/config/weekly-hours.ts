import { splitList } from '../base/normalize-input.ts';

/** Opening hours of one weekday, in official time (HH:mm), and the number of simultaneous calls. */
export interface WeekdayHours {
  /** Day of the week, from 1 (Monday) to 7 (Sunday), as in ISO 8601. */
  readonly weekday: number;
  readonly opens: string;
  readonly closes: string;
  readonly places: number;
}

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const hoursPattern = /^(\w{3})(?:-(\w{3}))? +((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)(?: +x(\d{1,2}))?$/;

/** Parses hours such as `mon-fri 09:00-17:00 x2, sat 09:00-12:00`. With an empty text, no calls can be booked. */
export function parseWeeklyHours(text: string): readonly WeekdayHours[] {
  return splitList(text.toLowerCase()).flatMap(parseWeekdayRange);
}

function parseWeekdayRange(part: string): readonly WeekdayHours[] {
  const [, first = '', last = first, opens = '', closes = '', places = '1'] = hoursPattern.exec(part) ?? [];
  const from = weekdayNames.indexOf(first);
  const to = weekdayNames.indexOf(last);
  if (from === -1 || to < from || opens >= closes || Number(places) === 0)
    throw new Error('hours such as mon-fri 09:00-17:00 x2, sat 09:00-12:00');
  return weekdayNames
    .slice(from, to + 1)
    .map((_, index) => ({ weekday: from + index + 1, opens, closes, places: Number(places) }));
}
