import { constants } from '../../../contract/constants.ts';

/** Made once: a formatter costs a hundred times as much as what it formats, and a list of dates needs hundreds of them. */
const official = new Intl.DateTimeFormat('en', {
  timeZone: constants.timeZone,
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** The instant at which a date (YYYY-MM-DD) has a time (HH:mm or HH:mm:ss), in official time. */
export function instantAt(date: string, time: string): Date {
  const wanted = Date.parse(`${date}T${time}Z`);
  const near = wanted - offsetAt(wanted);
  return new Date(wanted - offsetAt(near)); // the clock may change between the two
}

/** The date that an instant falls on in official time, as YYYY-MM-DD. */
export function dateOf(instant: Date): string {
  return readOfficial(instant).date;
}

/** The time of an instant in official time, as HH:mm:ss. */
export function timeOf(instant: Date): string {
  return readOfficial(instant).time;
}

/** A date some days, and then some months, after another; a month that is too short ends at its last day. */
export function laterDate(date: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const from = midnightOf(date);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(from.getUTCDate(), lastDay) + days;
  return writeDate(new Date(Date.UTC(from.getUTCFullYear(), month, day)));
}

/** The day of the week of a date, from 1 for Monday to 7 for Sunday. */
export function weekdayOf(date: string): number {
  return midnightOf(date).getUTCDay() || 7;
}

/** Whether a text is a date of the calendar, as YYYY-MM-DD, of the years that people live in: days around it are dates as well. */
export function isDate(text: string): boolean {
  if (!/^(?:18|19|20|21)\d{2}-\d{2}-\d{2}$/.test(text)) return false;
  const read = midnightOf(text);
  return !Number.isNaN(read.getTime()) && writeDate(read) === text;
}

/** Milliseconds that official time is ahead of UTC at an instant. */
function offsetAt(instantMs: number): number {
  const { date, time } = readOfficial(new Date(instantMs));
  return Date.parse(`${date}T${time}Z`) - Math.floor(instantMs / 1000) * 1000;
}

function readOfficial(instant: Date): { readonly date: string; readonly time: string } {
  const parts = Object.fromEntries(official.formatToParts(instant).map(({ type, value }) => [type, value]));
  return {
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
    time: `${parts['hour']}:${parts['minute']}:${parts['second']}`,
  };
}

function midnightOf(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function writeDate(midnight: Date): string {
  return midnight.toISOString().slice(0, 10);
}
