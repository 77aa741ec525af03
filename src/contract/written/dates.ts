import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** A date (YYYY-MM-DD) or moment in official Uruguayan time. */
export function inUruguay(date: string): dayjs.Dayjs {
  return dayjs.tz(date, constants.timeZone);
}

/** A moment (ISO 8601) that is to come, with its day of the week in a language (BCP 47): `jueves 26/11/2026, 10:30 hs`. */
export function formatAppointment(moment: string, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: constants.timeZone });
  return `${weekday.format(new Date(moment))} ${formatMoment(moment)}`;
}

/** A moment (ISO 8601) as the portal writes it: DD/MM/YYYY, HH:mm hs, in official Uruguayan time. */
export function formatMoment(moment: string): string {
  return `${dayjs(moment).tz(constants.timeZone).format('DD/MM/YYYY, HH:mm')}\u00a0hs`; // the unit stays with its number
}
