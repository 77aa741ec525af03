import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import { calendarFile, type CalendarCall } from '../../src/contract/calendar-entry.ts';
import { constants } from '../../src/contract/constants.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

/** Where a call goes into a reader's calendar: the pages of two services, and a file for every other. */
export interface CalendarAddresses {
  readonly google: string;
  readonly outlook: string;
  /** A data URL. */
  readonly file: string;
}

/** The calendar addresses of a call. Google takes official times with their zone, Outlook instants. */
export function calendarAddresses(call: CalendarCall, made: { product: string; madeAt: Date }): CalendarAddresses {
  const { title, description } = call;
  const start = dayjs.tz(`${call.date}T${call.time}`, constants.timeZone);
  const end = start.add(call.minutes, 'minute');
  const local = 'YYYYMMDD[T]HHmmss';
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: title,
    details: description,
    dates: `${start.format(local)}/${end.format(local)}`,
    ctz: constants.timeZone,
  });
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: title,
    body: description,
    startdt: start.toISOString(),
    enddt: end.toISOString(),
  });
  return {
    google: `https://calendar.google.com/calendar/render?${google.toString()}`,
    outlook: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook.toString()}`,
    file: `data:text/calendar;charset=utf-8,${encodeURIComponent(calendarFile(call, made))}`,
  };
}
