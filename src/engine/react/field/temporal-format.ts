import { isCalendarDate } from '../../core/format-date.ts';
import {
  incompleteInputValue,
  markHourSkippedByDst,
  readMarkedInputText,
  markIncompleteInput,
} from '../../core/values/incomplete-input.ts';

export { incompleteInputValue };

export interface TemporalControlClock {
  /** IANA time zone of the control. Defaults to the time zone of the browser. */
  readonly timeZone?: string | undefined;
  readonly now: () => Date;
}

interface TemporalFormat {
  readonly type: 'date' | 'datetime-local' | 'time';
  /** Converts a value to the text of the control, in local time. Keeps incomplete input. Returns an empty text for an invalid value. */
  readonly toControlText: (value: unknown) => string;
  /** Adds the UTC offset. Marks an invalid text: validation rejects it, and the control can show it again. */
  readonly toValue: (typed: string) => string;
}

export function selectTemporalFormat(format: unknown, clock: TemporalControlClock): TemporalFormat {
  if (format === 'time') return createTimeFormat(clock);
  return format === 'date-time' ? createDateTimeFormat(clock) : dateFormat;
}

const dateFormat: TemporalFormat = {
  type: 'date',
  toControlText: (value) => readMarkedInputText(value) ?? (typeof value === 'string' ? value : ''),
  toValue: (typed) => (completeDatePattern.test(typed) ? typed : markIncompleteInput(typed)),
};

/** Complete date. Excludes years before 1000, because browsers report a partially typed year as e.g. 0002. */
const completeDatePattern = /^[1-9]\d{3}-\d\d-\d\d$/;

/** Returns a marker if the browser hides an incomplete input: the control's text is empty, but `badInput` is true. Otherwise returns `undefined`. */
export function readIncompleteInput({ validity }: HTMLInputElement): string | undefined {
  return validity.badInput ? incompleteInputValue : undefined;
}

const timeWithOffset = /^(?:\d{4}-\d\d-\d\dT)?(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

function createDateTimeFormat({ timeZone }: TemporalControlClock): TemporalFormat {
  return {
    type: 'datetime-local',
    toControlText: (value) =>
      readMarkedInputText(value) ??
      (hasOffset(value) && isCalendarDate(value.slice(0, 10))
        ? toWallTime(new Date(value), timeZone).slice(0, 16)
        : ''),
    toValue: (typed) => {
      const wall = Date.parse(`${typed}Z`);
      if (!completeDatePattern.test(typed.slice(0, 10)) || Number.isNaN(wall)) return markIncompleteInput(typed);
      const ahead = findOffset(wall, timeZone);
      return ahead === null ? markHourSkippedByDst(typed) : `${addSeconds(typed)}${formatOffset(ahead)}`;
    },
  };
}

/** Returns the UTC offset at a wall time, in minutes: the first one in an hour that occurs twice, `null` in an hour that DST skips. */
function findOffset(wall: number, timeZone: string | undefined): number | null {
  const ofNeighbours = [wall - dayMs, wall + dayMs].map((time) => getOffsetMinutes(new Date(time), timeZone));
  return ofNeighbours.find((ahead) => getOffsetMinutes(new Date(wall - ahead * minute), timeZone) === ahead) ?? null;
}

function createTimeFormat({ timeZone, now }: TemporalControlClock): TemporalFormat {
  return {
    type: 'time',
    toControlText: (value) =>
      readMarkedInputText(value) ??
      (hasOffset(value)
        ? toWallTime(new Date(`${now().toISOString().slice(0, 11)}${value}`), timeZone).slice(11, 16)
        : ''),
    toValue: (typed) =>
      completeTimePattern.test(typed)
        ? `${addSeconds(typed)}${formatOffset(getOffsetMinutes(now(), timeZone))}`
        : markIncompleteInput(typed),
  };
}

function hasOffset(value: unknown): value is string {
  return typeof value === 'string' && timeWithOffset.test(value);
}

/** Returns the wall time in a time zone as ISO 8601. The `Z` at the end is meaningless. Returns an empty text for an invalid date. */
function toWallTime(instant: Date, timeZone: string | undefined): string {
  const time = instant.getTime();
  return Number.isNaN(time) ? '' : new Date(time + getOffsetMinutes(instant, timeZone) * minute).toISOString();
}

const minute = 60_000;
const dayMs = 24 * 60 * minute;
const completeTimePattern = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;

/** Returns the UTC offset of a time zone at an instant, in minutes. Rounded, because offsets before 1900 include seconds. */
function getOffsetMinutes(instant: Date, timeZone: string | undefined): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const offset = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''; // e.g. GMT-03:00
  const [, sign, hours, minutes, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(offset) ?? ['', '+', 0, 0];
  return Math.round(Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes) + Number(seconds) / 60));
}

/** Formatters by time zone. Cached, because creating a formatter takes too long for each keystroke. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function addSeconds(typed: string): string {
  return /\d\d:\d\d:\d\d/.test(typed) ? typed : `${typed}:00`;
}

function formatOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const digits = (value: number) => String(value).padStart(2, '0');
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${digits(hours)}:${digits(rest)}`;
}
