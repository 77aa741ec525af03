import { constants } from './constants.ts';

/** What a calendar is told of a call. Times are official ones, which stay what they are whatever zone the calendar is in. */
export interface CalendarCall {
  /** The call's own id: a later entry with the same one takes the place of this. */
  readonly id: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  /** HH:mm:ss. */
  readonly time: string;
  readonly minutes: number;
  readonly title: string;
  readonly description: string;
  /** How often the entry was changed. */
  readonly sequence: number;
  readonly status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
}

/** The longest line of a calendar file in octets (RFC 5545, 3.1). */
const lineOctets = 75;

/** A call as an iCalendar file (RFC 5545); `madeAt` is when it is written. */
export function calendarFile(call: CalendarCall, { product, madeAt }: { product: string; madeAt: Date }): string {
  const { timeZone } = constants;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(product)}//ES`,
    `METHOD:${call.status === 'CANCELLED' ? 'CANCEL' : 'PUBLISH'}`,
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    'BEGIN:STANDARD',
    'DTSTART:20150308T010000', // the last change of the clock in Uruguay
    'TZOFFSETFROM:-0200',
    'TZOFFSETTO:-0300',
    'TZNAME:-03',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:${call.id}`,
    `SEQUENCE:${call.sequence}`,
    `STATUS:${call.status}`,
    `DTSTAMP:${utcStamp(madeAt)}`,
    `DTSTART;TZID=${timeZone}:${localStamp(call)}`,
    `DURATION:PT${call.minutes}M`,
    `SUMMARY:${escapeText(call.title)}`,
    `DESCRIPTION:${escapeText(call.description)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

function localStamp({ date, time }: CalendarCall): string {
  return `${date.replaceAll('-', '')}T${time.replaceAll(':', '')}`;
}

function utcStamp(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
}

/** Lines are counted in octets: a letter with an accent has two, and is not torn apart. */
function fold(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let octets = 0;
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (octets + size > lineOctets) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += letter;
    octets += size;
  }
  return folded;
}
