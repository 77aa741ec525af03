import { isNationalDocument } from '../contract/document.ts';
import { deskName, deskText } from './texts.ts';

/** Formats a document id (`uy-ci-36509181`) as `Cédula 3.650.918-1`, or with the country code for other countries. */
export function writtenDocument(id: string): string {
  const [, country = '', type = '', number = ''] = /^([a-z]{2})-(\w+)-(.+)$/.exec(id) ?? [];
  if (number === '') return id;
  const name = deskName('document', type);
  if (isNationalDocument(country, type)) return `${name} ${formatCedula(number)}`;
  return `${name} ${number} (${country.toUpperCase()})`;
}

/** Formats the digits of an identity card as `3.650.918-1`. */
export function formatCedula(digits: string): string {
  if (!/^\d{2,8}$/.test(digits)) return digits;
  const body = digits.slice(0, -1).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${body}-${digits.slice(-1)}`;
}

/** Formats `YYYY-MM-DD` as `DD/MM/YYYY`. Returns anything else unchanged. */
export function writtenDate(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  return day === undefined ? date : `${day}/${month}/${year}`;
}

const weekday = new Intl.DateTimeFormat('es', { weekday: 'long', timeZone: 'UTC' });

/** Formats a date with its weekday: `viernes 27/11/2026`. */
export function sayDay(date: string): string {
  return `${weekday.format(new Date(date))} ${writtenDate(date)}`;
}

export function shortTime(time: string): string {
  return time.slice(0, 5);
}

const stretch = /^(?:(\p{L}{3})(?:-(\p{L}{3}))? )?(\d{2}:\d{2})-(\d{2}:\d{2})(?: x(\d+))?$/u;

/** Formats opening hours, one range per line: `lun-vie 09:00-17:00 x2` is «De lunes a viernes, de 09:00 a 17:00: 2 llamadas a la vez». */
export function writtenHours(hours: string): readonly string[] {
  return hours.split('\n').map((line) => {
    const [, first, last, from, to, places = '1'] = stretch.exec(line) ?? [];
    if (from === undefined || to === undefined) return line;
    const times = deskText('hours.fromTo', { from, to });
    const at = places === '1' ? deskText('hours.one') : deskText('hours.many', { places });
    return `${first === undefined ? times : `${formatDays(first, last)}, ${times}`}: ${at}`;
  });
}

function formatDays(first: string, last: string | undefined): string {
  const from = deskName('weekday', first);
  return last === undefined
    ? deskText('hours.onDay', { day: from })
    : deskText('hours.fromDay', { from, to: deskName('weekday', last) });
}
