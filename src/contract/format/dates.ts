import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { formatDate } from '../../engine/core/format-date.ts';
import { portalConstants } from '../constants.ts';
import type { Language } from '../portal-config.ts';
import { formatDateInWords } from './date-in-words.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

const { timeZone } = portalConstants;
const isoDateFormat = 'YYYY-MM-DD';

// `Intl` formats a list of bookable times a hundred times faster than dayjs. The Swedish locale formats dates as ISO 8601.
const dateFormat = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
const timeFormat = new Intl.DateTimeFormat('sv', { timeZone, timeStyle: 'medium' });

/** Parses a date (YYYY-MM-DD), or a date and time (ISO 8601 without offset), in the time zone of Uruguay. */
export function parseUruguayDateTime(date: string): dayjs.Dayjs {
  return dayjs.tz(date, timeZone);
}

/** Returns the instant of a date (YYYY-MM-DD) and a time (HH:mm or HH:mm:ss) in the time zone of Uruguay. */
export function parseUruguayInstant(date: string, time: string): Date {
  return parseUruguayDateTime(`${date}T${time}`).toDate();
}

/** Returns the date of an instant in the time zone of Uruguay, as YYYY-MM-DD. */
export function toUruguayIsoDate(instant: Date): string {
  return dateFormat.format(instant);
}

/** Returns the time of an instant in the time zone of Uruguay, as HH:mm:ss. */
export function toUruguayIsoTime(instant: Date): string {
  return timeFormat.format(instant);
}

/** Adds months, then days, to a date. A day that the resulting month does not have becomes the last day of that month. */
export function addToDate(date: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  return dayjs.utc(date).add(months, 'month').add(days, 'day').format(isoDateFormat);
}

/** Returns the day of the week of a date, from 1 (Monday) to 7 (Sunday). */
export function toWeekday(date: string): number {
  return dayjs.utc(date).day() || 7;
}

/** Whether a text is a date (`YYYY-MM-DD`) from 1800 to 2199. With these limits, a date computed from this date also has a four-digit year. */
export function isIsoDate(text: string): boolean {
  return /^(?:18|19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && dayjs.utc(text).format(isoDateFormat) === text;
}

/** Formats an instant for a sentence, in the time zone of Uruguay: `lunes 30 de noviembre de 2026, 10:30`. Omits the year if it is the year of `now`. */
export function formatDateTimeInWords(instant: Date, language: Language, now?: Date): string {
  const day = formatDateInWords(toUruguayIsoDate(instant), language, now && toUruguayIsoDate(now));
  return `${day}, ${toUruguayIsoTime(instant).slice(0, 5)}`;
}

/** Formats a date (YYYY-MM-DD) for a list: `30/11/2026`. Returns any other text unchanged. */
export function formatShortDate(date: string): string {
  return isIsoDate(date) ? formatDate(date, 'DD/MM/YYYY') : date;
}

/** Formats an instant (ISO 8601) for a list, in the time zone of Uruguay: `30/11/2026, 10:30 hs`. */
export function formatShortDateTime(moment: string): string {
  return `${dayjs(moment).tz(timeZone).format('DD/MM/YYYY, HH:mm')}\u00a0hs`; // no-break space between number and unit
}
