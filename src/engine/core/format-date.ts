const date = /^(?<YYYY>\d{4})-(?<MM>\d\d)-(?<DD>\d\d)(?:T|$)/;
const time = /(?:^|T)(?<HH>\d\d):(?<mm>\d\d)(?::(?<ss>\d\d))?/;

/**
 * A date, a time, or both, as ISO 8601 writes them, in a pattern of `YYYY`, `MM`, `DD`, `HH`, `mm` and `ss`, e.g. `DD/MM/YYYY`. They are written as they
 * stand, in no other time zone. Empty for what is no such text, or has not all that the pattern asks for.
 */
export function formatDate(value: unknown, pattern: unknown): string {
  const text = typeof value === 'string' ? value : '';
  const parts: Record<string, string | undefined> = { ...date.exec(text)?.groups, ...time.exec(text)?.groups };
  const missing = { found: false };
  const written = String(pattern).replace(/YYYY|MM|DD|HH|mm|ss/g, (part) => {
    missing.found ||= parts[part] === undefined;
    return parts[part] ?? '';
  });
  return missing.found ? '' : written;
}
