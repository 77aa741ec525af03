import { getServerTime } from '../portal/session/server-clock.ts';
import { toUruguayIsoDate } from '../contract/format/dates.ts';
import { formatDateInWords } from '../contract/format/date-in-words.ts';
import { baseLanguage } from '../contract/portal-config.ts';
import { formatDocumentNumber, isNationalDocument } from '../contract/document-number.ts';
import { getDeskText, findDeskLabel } from './desk-texts.ts';

/**
 * Formats a document id: `uy-ci-36509181` becomes `Cédula 3.650.918-1`. Appends the country code to foreign documents.
 */
export function formatDocumentId(id: string): string {
  const [, country = '', type = '', number = ''] = /^([a-z]{2})-(\w+)-(.+)$/.exec(id) ?? [];
  if (number === '') return id;
  const name = findDeskLabel('document', type);
  if (isNationalDocument(country, type)) return `${name} ${formatDocumentNumber(country, type, number)}`;
  return `${name} ${number} (${country.toUpperCase()})`;
}

/** Formats a date with its weekday, for example `viernes 27 de noviembre`. Adds the year if it is not the current year. */
export function formatLongDate(date: string): string {
  return formatDateInWords(date, baseLanguage, toUruguayIsoDate(getServerTime()));
}

export function formatShortTime(time: string): string {
  return time.slice(0, 5);
}

const openingPattern = /^(?:(\p{L}{3})(?:-(\p{L}{3}))? )?(\d{2}:\d{2})-(\d{2}:\d{2})(?: x(\d+))?$/u;

/**
 * Formats the opening hours of a date, one range per line: `09:00-17:00 x2` becomes «de 09:00 a 17:00: 2 llamadas a la
 * vez».
 */
export function formatOpeningHours(hours: string): readonly string[] {
  return hours.split('\n').map((line) => {
    const [, , , from, to, places = '1'] = openingPattern.exec(line) ?? [];
    if (from === undefined || to === undefined) return line;
    const at = places === '1' ? getDeskText('hours.one') : getDeskText('hours.many', { places });
    return `${getDeskText('hours.fromTo', { from, to })}: ${at}`;
  });
}

const weekdays = getDeskText('hours.days').split(' ');

/** Opening hours of a day. `from` and `to` are decimal hours: 9.5 is 09:30. */
interface OpeningPeriod {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly places: string;
}

/** Parses opening hours (`lun-vie 09:00-17:00 x2`, one range per line) into the days of a week. */
export function parseOpeningHours(
  hours: string,
): readonly { readonly day: string; readonly openings: readonly OpeningPeriod[] }[] {
  const ranges = hours.split('\n').flatMap((line) => {
    const [, first = '', last = first, from, to, places = '1'] = openingPattern.exec(line) ?? [];
    if (from === undefined || to === undefined) return [];
    const opening = { from: toHours(from), to: toHours(to), text: `${from}–${to}`, places };
    return [{ first: weekdays.indexOf(first), last: weekdays.indexOf(last), opening }];
  });
  return weekdays.map((day, index) => ({
    day,
    openings: ranges.filter(({ first, last }) => first <= index && index <= last).map(({ opening }) => opening),
  }));
}

function toHours(time: string): number {
  return Number(time.slice(0, 2)) + Number(time.slice(3, 5)) / 60;
}
