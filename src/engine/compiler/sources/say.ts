import type { Localized } from '../localized.ts';
import spanish from './spanish.json' with { type: 'json' };

const table: Readonly<Record<string, string>> = spanish;

/** Several things of which one will do. */
export function either(names: readonly string[]): Localized {
  return { es: names.join(' o '), en: names.join(' or ') };
}

/**
 * A sentence of the compiler, written in English where it is said; its Spanish stands in spanish.json under its words, with {1}, {2} in the place of
 * what is put in. Without an entry the English stands: a test finds it.
 */
export function say(words: TemplateStringsArray, ...values: readonly (string | number | Localized)[]): Localized {
  const english = words.reduce((said, part, index) => `${said}{${index}}${part}`);
  const fill = (sentence: string, language: 'es' | 'en') =>
    sentence.replace(/\{(\d+)\}/g, (_, place: string) => {
      const value = values[Number(place) - 1] ?? '';
      return typeof value === 'object' ? (value[language] ?? '') : String(value);
    });
  return { es: fill(table[english] ?? english, 'es'), en: fill(english, 'en') };
}
