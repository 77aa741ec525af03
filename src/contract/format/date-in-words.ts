import { formatDate } from '../../engine/core/format-date.ts';
import type { Language } from '../portal-config.ts';

/** Omits the weekday in Portuguese, because its gender would change the preposition. Uses the locale of Uruguay, which spells `setiembre`. */
export const dateFormatsByLanguage = {
  es: { locale: 'es-UY', day: 'dddd D de MMMM de YYYY', appointment: 'dddd D de MMMM de YYYY a las HH:mm' },
  pt: { locale: 'pt-BR', day: 'D de MMMM de YYYY', appointment: 'D de MMMM de YYYY às HH:mm' },
} as const satisfies Readonly<Record<Language, Readonly<Record<string, string>>>>;

/** Formats a date (YYYY-MM-DD) for a sentence: `lunes 30 de noviembre de 2026`. */
export function formatDateInWords(date: string, language: Language): string {
  return formatDate(date, dateFormatsByLanguage[language].day, dateFormatsByLanguage[language].locale);
}
