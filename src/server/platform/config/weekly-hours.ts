import { splitList } from '../base/normalize-input.ts';

/** Opening hours within a day, in official time (HH:mm), and the number of simultaneous calls. */
export interface DayHours {
  readonly opens: string;
  readonly closes: string;
  readonly places: number;
}

export interface WeekdayHours extends DayHours {
  /** Day of the week, from 1 (Monday) to 7 (Sunday), as in ISO 8601. */
  readonly weekday: number;
}

const dayPattern = /^((?:[01]\d|2[0-3]):[0-5]\d) *(?:-|a) *((?:[01]\d|2[0-3]):[0-5]\d)(?: +x *(\d{1,2}))?$/;
const weekPattern = /^(\p{L}{3})(?: *(?:-|a) *(\p{L}{3}))? +(.+)$/u;

/** Parses hours such as `09:00-17:00 x2`, for two simultaneous calls. Returns `null` if they are malformed. */
export function parseDayHours(text: string): DayHours | null {
  const [, opens = '', closes = '', places = '1'] = dayPattern.exec(text) ?? [];
  return opens < closes && Number(places) >= 1 ? { opens, closes, places: Number(places) } : null;
}

/** Parses hours such as `lun-vie 09:00-17:00 x2`. `weekdays` are the names from Monday. Returns `null` if the hours are malformed. */
export function parseWeekdayHours(text: string, weekdays: readonly string[]): readonly WeekdayHours[] | null {
  const [, first = '', last = first, range = ''] = weekPattern.exec(text) ?? [];
  const [from, to] = [weekdays.indexOf(first), weekdays.indexOf(last)];
  const hours = parseDayHours(range);
  if (from === -1 || to < from || hours === null) return null;
  return weekdays.slice(from, to + 1).map((_, index) => ({ weekday: from + index + 1, ...hours }));
}

/** Parses hours such as `mon-fri 09:00-17:00 x2, sat 09:00-12:00`. With an empty text, no calls can be booked. */
export function parseWeeklyHours(text: string): readonly WeekdayHours[] {
  return splitList(text.toLowerCase()).flatMap((part) => {
    const hours = parseWeekdayHours(part, ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
    if (hours === null) throw new Error('hours such as mon-fri 09:00-17:00 x2, sat 09:00-12:00');
    return hours;
  });
}
