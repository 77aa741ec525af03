const date = /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:T|$)/;
const time = /(?:^|T)(?<HH>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d))?/;

/**
 * Formats an ISO 8601 date, time or both, e.g. as `dddd DD/MM/YYYY`. The pattern may use `dddd` and `MMMM` (names of weekday and month in a BCP 47
 * language, empty without one), `YYYY`, `MM`, `DD`, `D`, `HH`, `mm` and `ss`. Ignores time zones. Returns an empty text if `value` is invalid or
 * lacks a part of the pattern.
 */
export function formatDate(value: unknown, pattern: unknown, language?: unknown): string {
  const text = typeof value === 'string' ? value : '';
  const day = date.exec(text);
  const parts: Record<string, string | undefined> = { ...day?.groups, ...time.exec(text)?.groups };
  if (day) Object.assign(parts, nameParts(day[0].slice(0, 10), language), { D: String(Number(day.groups?.['DD'])) });
  const missing = { found: false };
  const formatted = String(pattern).replace(/dddd|YYYY|MMMM|MM|DD|D|HH|mm|ss/g, (part) => {
    missing.found ||= parts[part] === undefined;
    return parts[part] ?? '';
  });
  return missing.found ? '' : formatted.trimStart();
}

/** Whether a text is an existing date `YYYY-MM-DD`. `Date` would convert February 30 to March 2. */
export function isCalendarDate(day: string): boolean {
  return date.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
}

function nameParts(day: string, language: unknown): Readonly<Record<'dddd' | 'MMMM', string>> {
  const noon = new Date(`${day}T12:00:00Z`);
  if (typeof language !== 'string' || Number.isNaN(noon.getTime())) return { dddd: '', MMMM: '' };
  // includes the day, because in some locales the month name has another form beside a day
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
  const parts = Object.fromEntries(format.formatToParts(noon).map(({ type, value }) => [type, value]));
  return { dddd: parts['weekday'] ?? '', MMMM: parts['month'] ?? '' };
}
