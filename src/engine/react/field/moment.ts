/** The clock that a form is filled in by. */
export interface Clock {
  /** IANA name of its time zone; absent: that of the browser. */
  readonly timeZone?: string | undefined;
  readonly now: () => Date;
}

/** A value as an input of the browser holds it, and as JSON Schema's format writes it (RFC 3339). */
interface Moment {
  readonly type: 'date' | 'datetime-local' | 'time';
  /** What the input shows, by the clock; nothing of what is no such value. */
  readonly shown: (value: unknown) => string;
  /** What is stored of a whole input: as it stands, with what the clock is ahead of UTC. */
  readonly stored: (typed: string) => string;
}

/** An hour by the format "time", a day with its hour by "date-time", else a day. */
export function momentOf(format: unknown, clock: Clock): Moment {
  if (format === 'time') return timeBy(clock);
  return format === 'date-time' ? dateTimeBy(clock) : day;
}

const day: Moment = {
  type: 'date',
  shown: (value) => (typeof value === 'string' && value !== incomplete ? value : ''),
  stored: (typed) => typed,
};

/** Stands for what is typed in part, of which the browser says nothing: each format refuses it. */
export const incomplete = '…';

/** What is stored of an input that says nothing: its value is empty as well while a part is typed. */
export function leftOf({ validity }: HTMLInputElement): string | undefined {
  return validity.badInput ? incomplete : undefined;
}

const zoned = /^(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function dateTimeBy({ timeZone }: Clock): Moment {
  return {
    type: 'datetime-local',
    shown: (value) => (isZoned(value) ? wallClock(new Date(value), timeZone).slice(0, 16) : ''),
    stored: (typed) => {
      const wall = Date.parse(`${typed}Z`);
      if (Number.isNaN(wall)) return typed;
      // The offset of an instant near it, then its own: they differ where the clock was changed in between.
      const guess = wall - minutesAhead(new Date(wall), timeZone) * minute;
      return `${withSeconds(typed)}${offsetOf(minutesAhead(new Date(guess), timeZone))}`;
    },
  };
}

function timeBy({ timeZone, now }: Clock): Moment {
  return {
    type: 'time',
    shown: (value) =>
      isZoned(value) ? wallClock(new Date(`${now().toISOString().slice(0, 11)}${value}`), timeZone).slice(11, 16) : '',
    stored: (typed) => `${withSeconds(typed)}${offsetOf(minutesAhead(now(), timeZone))}`,
  };
}

function isZoned(value: unknown): value is string {
  return typeof value === 'string' && zoned.test(value);
}

/** What the clock of a zone says at an instant, as ISO 8601 without a zone; empty for no instant. */
function wallClock(instant: Date, timeZone: string | undefined): string {
  const time = instant.getTime();
  return Number.isNaN(time) ? '' : new Date(time + minutesAhead(instant, timeZone) * minute).toISOString();
}

const minute = 60_000;

/** Minutes that the clock of a zone is ahead of UTC at an instant. */
function minutesAhead(instant: Date, timeZone: string | undefined): number {
  if (timeZone === undefined) return -instant.getTimezoneOffset();
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...written, timeZone });
  formats.set(timeZone, format);
  const at = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day, hour, minute: minutes, second } = at;
  const wall = Date.UTC(year, month - 1, day, hour, minutes, second);
  return Math.round((wall - instant.getTime()) / minute);
}

/** By time zone: making one costs more than a key. */
const formats = new Map<string, Intl.DateTimeFormat>();

const written = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const;

function withSeconds(typed: string): string {
  return /\d\d:\d\d:\d\d/.test(typed) ? typed : `${typed}:00`;
}

function offsetOf(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = (value: number) => String(value).padStart(2, '0');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`;
}
