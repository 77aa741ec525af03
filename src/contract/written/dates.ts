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

/** A moment (ISO 8601) as the portal writes it: DD/MM/YYYY, HH:mm hs, in official Uruguayan time. */
export function formatMoment(moment: string): string {
  return `${dayjs(moment).tz(constants.timeZone).format('DD/MM/YYYY, HH:mm')} hs`;
}
