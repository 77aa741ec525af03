import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

const { timeZone } = constants;
const isoDate = 'YYYY-MM-DD';

// dayjs takes a hundred times as long to convert an instant, and a list of bookable times has hundreds of them. Swedish writes ISO 8601.
const dateFormat = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
const timeFormat = new Intl.DateTimeFormat('sv', { timeZone, timeStyle: 'medium' });

/** Parses a date (YYYY-MM-DD) or a time in official Uruguayan time. */
export function inUruguay(date: string): dayjs.Dayjs {
  return dayjs.tz(date, timeZone);
}

/** Returns the instant of a date (YYYY-MM-DD) and a time (HH:mm or HH:mm:ss) in official time. */
export function instantAt(date: string, time: string): Date {
  return inUruguay(`${date}T${time}`).toDate();
}

/** Returns the date of an instant in official time, as YYYY-MM-DD. */
export function formatOfficialDate(instant: Date): string {
  return dateFormat.format(instant);
}

/** Returns the time of an instant in official time, as HH:mm:ss. */
export function formatTime(instant: Date): string {
  return timeFormat.format(instant);
}

/** Adds months, then days, to a date. In a shorter month the date becomes the last day. */
export function laterDate(date: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  return dayjs.utc(date).add(months, 'month').add(days, 'day').format(isoDate);
}

/** Returns the day of the week of a date, from 1 (Monday) to 7 (Sunday). */
export function toWeekday(date: string): number {
  return dayjs.utc(date).day() || 7;
}

/** Whether a text is a date (YYYY-MM-DD) from 1800 to 2199, so that the dates around it are valid as well. */
export function isDate(text: string): boolean {
  return /^(?:18|19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && dayjs.utc(text).format(isoDate) === text;
}

/** Formats a future instant (ISO 8601) with its weekday in a language (BCP 47): `jueves 26/11/2026, 10:30 hs`. */
export function formatAppointment(moment: string, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone });
  return `${weekday.format(new Date(moment))} ${formatMoment(moment)}`;
}

/** Formats an instant (ISO 8601) as DD/MM/YYYY, HH:mm hs, in official Uruguayan time. */
export function formatMoment(moment: string): string {
  return `${dayjs(moment).tz(timeZone).format('DD/MM/YYYY, HH:mm')}\u00a0hs`; // a no-break space keeps number and unit together
}
