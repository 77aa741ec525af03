/** What stands in the three boxes, as typed. */
export interface Parts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

/** The boxes in the order in which a date is read here. */
export const partNames = ['day', 'month', 'year'] as const;

/** The boxes of no date. */
export const noParts: Parts = { day: '', month: '', year: '' };

/** The value of what stands in the boxes: `YYYY-MM-DD`, or the same with what is missing or wrong as it is, for the rule to tell. */
export function dateOf(parts: Parts): string | undefined {
  const { day, month, year } = parts;
  if (partNames.every((name) => parts[name].trim() === '')) return undefined;
  return [year.trim(), padded(month), padded(day)].join('-');
}

/** The boxes of a value. */
export function partsOf(value: unknown): Parts {
  const [year, month, day, ...rest] = typeof value === 'string' ? value.split('-') : [];
  if (year === undefined || month === undefined || day === undefined || rest.length > 0) return noParts;
  return { day: day.replace(/^0(?=\d)/, ''), month: month.replace(/^0(?=\d)/, ''), year };
}

/** A whole date that is pasted or filled in: `31/12/1990`, `31.12.1990`, `31-12-1990` or `1990-12-31`; null where it is none. */
export function wholeDate(text: string): Parts | null {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})\s*$/.exec(text) ?? [];
  if (year !== '') return { day, month, year };
  return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) ? partsOf(text.trim()) : null;
}

function padded(part: string): string {
  return part.trim().replace(/^\d$/, '0$&');
}
