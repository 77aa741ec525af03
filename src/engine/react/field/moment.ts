import { incomplete, skippedHour, typedBehind, unfinished } from '../../core/values/unfinished.ts';

export { incomplete };

/** The clock that a form is filled in by. */
export interface Clock {
  /** IANA name of its time zone; absent: that of the browser. */
  readonly timeZone?: string | undefined;
  readonly now: () => Date;
}

/** A value as an input of the browser holds it, and as JSON Schema's format writes it (RFC 3339). */
interface TemporalFormat {
  readonly type: 'date' | 'datetime-local' | 'time';
  /** What the input shows, by the clock: also what is typed in part. Nothing of what is no such value. */
  readonly shown: (value: unknown) => string;
  /** What is stored of an input: as it stands, with what the clock is ahead of UTC; marked where it is no moment, so that it is refused and kept. */
  readonly stored: (typed: string) => string;
}

/** An hour by the format "time", a day with its hour by "date-time", else a day. */
export function selectTemporalFormat(format: unknown, clock: Clock): TemporalFormat {
  if (format === 'time') return timeBy(clock);
  return format === 'date-time' ? dateTimeBy(clock) : day;
}

const day: TemporalFormat = {
  type: 'date',
  shown: (value) => typedBehind(value) ?? (typeof value === 'string' ? value : ''),
  stored: (typed) => (wholeDay.test(typed) ? typed : unfinished(typed)),
};

/** A year on its way to its fourth digit is one of the first centuries to the browser: 0002. */
const wholeDay = /^[1-9]\d{3}-\d\d-\d\d$/;

/** What is stored of an input that says nothing: its value is empty as well while a part is typed. */
export function readIncompleteInput({ validity }: HTMLInputElement): string | undefined {
  return validity.badInput ? incomplete : undefined;
}

const zoned = /^(?:\d{4}-\d\d-\d\dT)?(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function dateTimeBy({ timeZone }: Clock): TemporalFormat {
  return {
    type: 'datetime-local',
    shown: (value) =>
      typedBehind(value) ??
      (isZoned(value) && isDayOfCalendar(value) ? wallClock(new Date(value), timeZone).slice(0, 16) : ''),
    stored: (typed) => {
      const wall = Date.parse(`${typed}Z`);
      if (!wholeDay.test(typed.slice(0, 10)) || Number.isNaN(wall)) return unfinished(typed);
      const ahead = offsetAt(wall, timeZone);
      return ahead === null ? skippedHour(typed) : `${withSeconds(typed)}${formatOffset(ahead)}`;
    },
  };
}

/**
 * Minutes that a clock is ahead of UTC where it shows a wall time. An hour that it shows twice is the first one, as in ECMAScript's Temporal. Returns
 * `null` for an hour that it skips.
 */
function offsetAt(wall: number, timeZone: string | undefined): number | null {
  const ofNeighbours = [wall - dayMs, wall + dayMs].map((time) => minutesAhead(new Date(time), timeZone));
  return ofNeighbours.find((ahead) => minutesAhead(new Date(wall - ahead * minute), timeZone) === ahead) ?? null;
}

/** Whether the day of a date-time exists: a Date takes February 30 for March 2. */
function isDayOfCalendar(value: string): boolean {
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
}

function timeBy({ timeZone, now }: Clock): TemporalFormat {
  return {
    type: 'time',
    shown: (value) =>
      typedBehind(value) ??
      (isZoned(value)
        ? wallClock(new Date(`${now().toISOString().slice(0, 11)}${value}`), timeZone).slice(11, 16)
        : ''),
    stored: (typed) =>
      wholeHour.test(typed) ? `${withSeconds(typed)}${formatOffset(minutesAhead(now(), timeZone))}` : unfinished(typed),
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
const dayMs = 24 * 60 * minute;
const wholeHour = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Minutes that the clock of a zone is ahead of UTC at an instant, rounded: before 1900 clocks kept the local sun's time, to the second. */
function minutesAhead(instant: Date, timeZone: string | undefined): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { ...written, timeZone });
  formats.set(timeZone, format);
  const at = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour, minute: minutes, second } = at;
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day); // Date.UTC takes a year below 100 for one of the last century
  wall.setUTCHours(hour ?? 0, minutes, second);
  return Math.round((wall.getTime() - instant.getTime()) / minute);
}

/** By time zone: making one costs more than a key. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

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

function formatOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = (value: number) => String(value).padStart(2, '0');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`;
}
