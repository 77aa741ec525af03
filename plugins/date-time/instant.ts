/** A value as an input of the browser holds it, and as JSON Schema's format writes it. */
interface Moment {
  readonly type: 'datetime-local' | 'time';
  /** What the input shows; nothing of what is no such value. */
  readonly shown: (value: unknown) => string;
  /** What is stored of a whole input, by the offset that the browser has then; `now` where only an hour is asked. */
  readonly stored: (typed: string, now: Date) => string;
}

/** A day and its hour, by the clock of the browser: an instant, stored in UTC. */
export const dateTime: Moment = {
  type: 'datetime-local',
  shown: (value) => {
    const instant = new Date(typeof value === 'string' ? value : Number.NaN);
    if (Number.isNaN(instant.getTime())) return '';
    const day = [instant.getFullYear(), twoDigits(instant.getMonth() + 1), twoDigits(instant.getDate())].join('-');
    return `${day}T${twoDigits(instant.getHours())}:${twoDigits(instant.getMinutes())}`;
  },
  stored: (typed) => {
    const instant = new Date(typed);
    return Number.isNaN(instant.getTime()) ? typed : instant.toISOString().replace('.000', '');
  },
};

/** An hour with the browser's offset from UTC, which the format asks for. */
export const hour: Moment = {
  type: 'time',
  shown: (value) => (typeof value === 'string' ? (/^\d\d:\d\d/.exec(value)?.[0] ?? '') : ''),
  stored: (typed, now) => `${typed.length === 5 ? `${typed}:00` : typed}${offsetOf(now)}`,
};

function offsetOf(time: Date): string {
  const minutes = -time.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return minutes === 0 ? 'Z' : `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
