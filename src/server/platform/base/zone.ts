import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../../../contract/constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** The instant at which a date (YYYY-MM-DD) has a time (HH:mm or HH:mm:ss), in official time. */
export function instantAt(date: string, time: string): Date {
  return dayjs.tz(`${date}T${time}`, constants.timeZone).toDate();
}

/** The date that an instant falls on in official time, as YYYY-MM-DD. */
export function dateOf(instant: Date): string {
  return dayjs(instant).tz(constants.timeZone).format('YYYY-MM-DD');
}

/** The time of an instant in official time, as HH:mm:ss. */
export function timeOf(instant: Date): string {
  return dayjs(instant).tz(constants.timeZone).format('HH:mm:ss');
}

/** A date some days, and then some months, after another; a month that is too short ends at its last day. */
export function laterDate(date: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  return dayjs.utc(date).add(months, 'month').add(days, 'day').format('YYYY-MM-DD');
}

/** The day of the week of a date, from 1 for Monday to 7 for Sunday. */
export function weekdayOf(date: string): number {
  return dayjs.utc(date).day() || 7;
}

/** Whether a text is a date of the calendar, as YYYY-MM-DD, of the years that people live in: days around it are dates as well. */
export function isDate(text: string): boolean {
  return /^(?:18|19|20|21)\d{2}-\d{2}-\d{2}$/.test(text) && dayjs.utc(text).format('YYYY-MM-DD') === text;
}
