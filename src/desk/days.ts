import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../contract/constants.ts';
import { writtenDate } from './written.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** Returns the date of an instant as `YYYY-MM-DD` in official time. */
export function dayOf(at: Date): string {
  return dayjs(at).tz(constants.timeZone).format('YYYY-MM-DD');
}

export function laterDay(date: string, days: number): string {
  return dayjs.utc(date).add(days, 'day').format('YYYY-MM-DD');
}

/** Returns `HH:mm` of an instant in official time. */
export function timeOf(at: Date): string {
  return dayjs(at).tz(constants.timeZone).format('HH:mm');
}

const weekday = new Intl.DateTimeFormat('es', { weekday: 'long', timeZone: 'UTC' });

/** Formats a date with its weekday: `viernes 27/11/2026`. */
export function sayDay(date: string): string {
  return `${weekday.format(new Date(date))} ${writtenDate(date)}`;
}

export function shortTime(time: string): string {
  return time.slice(0, 5);
}
