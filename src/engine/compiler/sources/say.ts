import { inLanguage, type Localized } from '../localized.ts';
import sentences from './sentences.json' with { type: 'json' };

type Words = Readonly<Record<string, string>>;

/** Language in which the sentences are written in the code. */
export const { spoken } = sentences;

const translated: readonly (readonly [language: string, words: Words])[] = Object.entries(sentences.translated);

/** Returns `asked`, or the language of the code if there is no translation. */
export function languageOf(asked: string = spoken): string {
  return translated.some(([language]) => language === asked) ? asked : spoken;
}

/** Translates a sentence written elsewhere, such as a format's description, and appends a blank. Empty without a translation. */
export function sayAgain(text: string): Localized {
  const others = translated.map(([language, table]) => [language, table[text] === undefined ? '' : `${table[text]} `]);
  return Object.fromEntries([[spoken, `${text} `], ...others]) as Localized;
}

/** Joins alternatives with "or". */
export function either([first = '', ...others]: readonly (string | Localized)[]): Localized {
  return others.reduce<Localized>((all, one) => say`${all} or ${one}`, say`${first}`);
}

/**
 * Builds a sentence in every language of the compiler. Translations are in sentences.json, keyed by the sentence with {1}, {2} in place of its
 * values. A missing translation falls back to the sentence itself, and a test reports it.
 */
export function say(words: TemplateStringsArray, ...values: readonly (string | number | Localized)[]): Localized {
  const said = words.reduce((sentence, part, index) => `${sentence}{${index}}${part}`);
  const fill = (sentence: string, language: string) =>
    sentence.replace(/\{(\d+)\}/g, (_, place: string) => {
      const value = values[Number(place) - 1] ?? '';
      return typeof value === 'object' ? inLanguage(value, language) : String(value);
    });
  return Object.fromEntries([
    [spoken, fill(said, spoken)],
    ...translated.map(([language, table]) => [language, fill(table[said] ?? said, language)]),
  ]) as Localized;
}
