const date = /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:T|$)/;
const time = /(?:^|T)(?<HH>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d))?/;

/**
 * Formats an ISO 8601 date, time or both. The pattern may use `dddd` (day of the week in a BCP 47 language, empty without one), `YYYY`, `MM`, `DD`,
 * `HH`, `mm` and `ss`, e.g. `dddd DD/MM/YYYY`. Time zones are ignored. Returns an empty text if `value` is not such a text or lacks a part of the
 * pattern.
 */
export function formatDate(value: unknown, pattern: unknown, language?: unknown): string {
  const text = typeof value === 'string' ? value : '';
  const day = date.exec(text);
  const parts: Record<string, string | undefined> = { ...day?.groups, ...time.exec(text)?.groups };
  if (day) parts['dddd'] = weekday(day[0].slice(0, 10), language);
  const missing = { found: false };
  const written = String(pattern).replace(/dddd|YYYY|MM|DD|HH|mm|ss/g, (part) => {
    missing.found ||= parts[part] === undefined;
    return parts[part] ?? '';
  });
  return missing.found ? '' : written.trimStart();
}

function weekday(day: string, language: unknown): string {
  const noon = new Date(`${day}T12:00:00Z`);
  if (typeof language !== 'string' || Number.isNaN(noon.getTime())) return '';
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(noon);
}
