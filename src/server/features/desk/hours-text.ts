import { OperationError } from '../../platform/base/errors.ts';
import { createTexts } from '../../platform/base/texts.ts';
import type { WeeklyHours } from '../../platform/config/weekly-hours.ts';
import type { Hours } from '../agenda/slots.ts';
import own from './texts.json' with { type: 'json' };

const textOf = createTexts(own);

/** Abbreviated weekdays from Monday, as agents write them. */
const days = textOf('dias_cortos', 'es').split(' ');
const stretch = '((?:[01]\\d|2[0-3]):[0-5]\\d) *(?:-|a) *((?:[01]\\d|2[0-3]):[0-5]\\d)(?: +x *(\\d{1,2}))?';
const ofWeek = new RegExp(`^(\\p{L}{3})(?: *(?:-|a) *(\\p{L}{3}))? +${stretch}$`, 'u');
const ofDate = new RegExp(`^${stretch}$`);

/** Parses weekly hours, one range per line, such as `lun-vie 09:00-17:00 x2`. Throws a field error for a malformed line. */
export function readWeek(text: string): readonly WeeklyHours[] {
  return splitLines(text).flatMap((line) => {
    const [, first = '', last = first, opens = '', closes = '', places = '1'] = ofWeek.exec(line) ?? [];
    const [from, to] = [formatDay(first), formatDay(last)];
    if (from === 0 || to < from || !fits(opens, closes, places)) throw unreadable(line);
    return Array.from({ length: to - from + 1 }, (_, index) => ({
      weekday: from + index,
      opens,
      closes,
      places: Number(places),
    }));
  });
}

/** Parses the hours of a date, one range per line, such as `09:00-13:00 x2`. Without a line, the date is closed. */
export function readDate(text: string): readonly Hours[] {
  return splitLines(text).map((line) => {
    const [, opens = '', closes = '', places = '1'] = ofDate.exec(line) ?? [];
    if (!fits(opens, closes, places)) throw unreadable(line);
    return { opens, closes, places: Number(places) };
  });
}

/** Inverse of `readWeek`. Days with equal hours share a line. */
export function writeWeek(week: readonly WeeklyHours[]): string {
  const byHours = new Map<string, number[]>();
  for (const hours of [...week].sort((a, b) => a.weekday - b.weekday)) {
    const known = byHours.get(writeHours(hours)) ?? [];
    byHours.set(writeHours(hours), [...known, hours.weekday]);
  }
  return [...byHours]
    .flatMap(([hours, weekdays]) => formatWeekdays(weekdays).map((run) => `${run} ${hours}`))
    .join('\n');
}

/** Formats a range of hours as `readDate` parses it. */
export function writeHours({ opens, closes, places }: Hours): string {
  return `${opens}-${closes}${places > 1 ? ` x${places}` : ''}`;
}

function formatWeekdays(weekdays: readonly number[]): readonly string[] {
  const runs: number[][] = [];
  for (const weekday of weekdays) {
    const run = runs.at(-1);
    if (run && run.at(-1) === weekday - 1) run.push(weekday);
    else runs.push([weekday]);
  }
  const name = (weekday = 1): string => days[weekday - 1] ?? '';
  return runs.map((run) => (run.length === 1 ? name(run[0]) : `${name(run[0])}-${name(run.at(-1))}`));
}

function splitLines(text: string): readonly string[] {
  return text
    .normalize('NFC')
    .toLowerCase()
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the weekday, from 1 for Monday. Returns 0 for any other word. Accents are optional. */
function formatDay(word: string): number {
  const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');
  return days.findIndex((day) => plain(day) === plain(word)) + 1;
}

function fits(opens: string, closes: string, places: string): boolean {
  return opens !== '' && opens < closes && Number(places) >= 1;
}

function unreadable(line: string): OperationError {
  return new OperationError(400, 'horario_ilegible', { field: 'horario', values: { linea: line } });
}
