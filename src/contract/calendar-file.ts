import { portalConstants } from './constants.ts';

/** A video call as an event of a calendar file. Date and time are official Uruguayan time, whatever the time zone of the calendar. */
export interface CallCalendarEvent {
  /** Id of the call. A calendar replaces an event with a later one of the same id. */
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** `HH:mm:ss`. */
  readonly time: string;
  readonly minutes: number;
  readonly title: string;
  readonly description: string;
  /** Revision number of the event (SEQUENCE of RFC 5545). It increases with each change. */
  readonly sequence: number;
  readonly status: 'TENTATIVE' | 'CONFIRMED' | 'CANCELLED';
}

/** Maximum line length of a calendar file in octets (RFC 5545, section 3.1). */
const maxLineOctets = 75;

export function formatCalendarFile(
  call: CallCalendarEvent,
  { product, madeAt }: { product: string; madeAt: Date },
): string {
  const { timeZone } = portalConstants;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(product)}//ES`,
    `METHOD:${call.status === 'CANCELLED' ? 'CANCEL' : 'PUBLISH'}`,
    'BEGIN:VTIMEZONE',
    `TZID:${timeZone}`,
    'BEGIN:STANDARD',
    'DTSTART:20150308T010000', // end of the last daylight saving time in Uruguay
    'TZOFFSETFROM:-0200',
    'TZOFFSETTO:-0300',
    'TZNAME:-03',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:${call.id}`,
    `SEQUENCE:${call.sequence}`,
    `STATUS:${call.status}`,
    `DTSTAMP:${madeAt.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
    `DTSTART;TZID=${timeZone}:${`${call.date}T${call.time}`.replaceAll(/[-:]/g, '')}`,
    `DURATION:PT${call.minutes}M`,
    `SUMMARY:${escapeText(call.title)}`,
    `DESCRIPTION:${escapeText(call.description)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(foldLine).join('\r\n')}\r\n`;
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
}

/** Folds a line longer than `maxLineOctets`, without splitting a multi-byte character. */
function foldLine(line: string): string {
  const encoder = new TextEncoder();
  let folded = '';
  let octets = 0;
  for (const letter of line) {
    const size = encoder.encode(letter).length;
    if (octets + size > maxLineOctets) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += letter;
    octets += size;
  }
  return folded;
}
