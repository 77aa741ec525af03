import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** Parses a date (YYYY-MM-DD) or a time in official Uruguayan time. */
export function inUruguay(date: string): dayjs.Dayjs {
  return dayjs.tz(date, constants.timeZone);
}

/** Formats a future instant (ISO 8601) with its weekday in a language (BCP 47): `jueves 26/11/2026, 10:30 hs`. */
export function formatAppointment(moment: string, language: string): string {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: constants.timeZone });
  return `${weekday.format(new Date(moment))} ${formatMoment(moment)}`;
}

/** Formats an instant (ISO 8601) as DD/MM/YYYY, HH:mm hs, in official Uruguayan time. */
export function formatMoment(moment: string): string {
  return `${dayjs(moment).tz(constants.timeZone).format('DD/MM/YYYY, HH:mm')}\u00a0hs`; // a no-break space keeps number and unit together
}
