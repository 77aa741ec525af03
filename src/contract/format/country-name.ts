import { baseLanguage } from '../portal-config.ts';

/** `name` is the name in the base language, and the fallback for an unknown code. `code` is an ISO 3166 code in any case. */
export function formatCountryName(code: string, name: string, language: string): string {
  if (language === baseLanguage || !/^[a-z]{2}$/i.test(code)) return name;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(code.toUpperCase()) ?? name;
}
