import { baseLanguage } from '../portal-config.ts';

/**
 * A country's name in a language (BCP 47), by its ISO 3166 code in either case. The reference data name countries in the base language; a code
 * that no language names keeps that name.
 */
export function writtenCountry(code: string, name: string, language: string): string {
  if (language === baseLanguage || !/^[a-z]{2}$/i.test(code)) return name;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code.toUpperCase()) ?? name;
}
