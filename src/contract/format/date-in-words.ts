import { formatDate } from '../../engine/core/format-date.ts';
import type { Language } from '../portal-config.ts';

/** Formats without the year, because flows format dates of the next three months. Omits the weekday in Portuguese, because its gender would change the preposition. Uses the locale of Uruguay, which spells `setiembre`. */
export const dateFormatsByLanguage = {
  es: { locale: 'es-UY', day: 'dddd D de MMMM', appointment: 'dddd D de MMMM, HH:mm' },
  pt: { locale: 'pt-BR', day: 'D de MMMM', appointment: 'D de MMMM, HH:mm' },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

/** Formats a date (YYYY-MM-DD) for a sentence: `lunes 30 de noviembre de 2026`. Omits the year if it is the year of `today` (YYYY-MM-DD). */
export function formatDateInWords(date: string, language: Language, today = ''): string {
  const { day, locale } = dateFormatsByLanguage[language];
  return formatDate(date, date.slice(0, 4) === today.slice(0, 4) ? day : `${day} de YYYY`, locale);
}
