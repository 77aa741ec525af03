import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { constants } from '../../src/contract/constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** Formats an ISO 8601 instant in official Uruguayan time. */
export function momentText(moment: string): string {
  return `${dayjs(moment).tz(constants.timeZone).format('DD/MM/YYYY, HH:mm')} hs`;
}
