export interface Parts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

export const partNames = ['day', 'month', 'year'] as const;

export const noParts: Parts = { day: '', month: '', year: '' };

/** Joins the boxes to `YYYY-MM-DD`. Missing or invalid parts stay as they were typed, for the rule to report. */
export function joinDate(parts: Parts): string | undefined {
  const { day, month, year } = parts;
  if (partNames.every((name) => parts[name].trim() === '')) return undefined;
  return [year.trim(), padded(month), padded(day)].join('-');
}

export function splitDate(value: unknown): Parts {
  const [year, month, day, ...rest] = typeof value === 'string' ? value.split('-') : [];
  if (year === undefined || month === undefined || day === undefined || rest.length > 0) return noParts;
  return { day: day.replace(/^0(?=\d)/, ''), month: month.replace(/^0(?=\d)/, ''), year };
}

/** Parses a pasted or autofilled date: `31/12/1990`, `31.12.1990`, `31-12-1990` or `1990-12-31`. Returns `null` for anything else. */
export function wholeDate(text: string): Parts | null {
  const [, day = '', month = '', year = ''] = /^\s*(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})\s*$/.exec(text) ?? [];
  if (year !== '') return { day, month, year };
  return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text) ? splitDate(text.trim()) : null;
}

function padded(part: string): string {
  return part.trim().replace(/^\d$/, '0$&');
}
