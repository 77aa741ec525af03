import { baseLanguage } from '../portal-config.ts';

/**
 * Returns the name of a country in a language (BCP 47). `code` is an ISO 3166 code in any case. `name` is the name in the base language, and the
 * fallback for an unknown code.
 */
export function formatCountry(code: string, name: string, language: string): string {
  if (language === baseLanguage || !/^[a-z]{2}$/i.test(code)) return name;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code.toUpperCase()) ?? name;
}
