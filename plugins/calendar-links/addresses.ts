import { calendarFile, type CalendarCall } from '../../src/contract/calendar-entry.ts';
import { constants } from '../../src/contract/constants.ts';
import { inUruguay } from '../../src/contract/written/dates.ts';

/** Links that add a booked call to a calendar: two web services, and an iCalendar file for every other. */
export interface CalendarAddresses {
  readonly google: string;
  readonly outlook: string;
  /** An iCalendar file as a data URL. */
  readonly file: string;
}

/** Google takes local times with their time zone, Outlook takes instants. */
export function calendarAddresses(call: CalendarCall, made: { product: string; madeAt: Date }): CalendarAddresses {
  const { title, description } = call;
  const start = inUruguay(`${call.date}T${call.time}`);
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
