import { inLanguage, type Localized } from '../localized.ts';
import sentences from './sentences.json' with { type: 'json' };

type Words = Readonly<Record<string, string>>;

/** The language in which the compiler's sentences are written where they are said. */
export const { spoken } = sentences;

const translated: readonly (readonly [language: string, words: Words])[] = Object.entries(sentences.translated);

/** The language asked for, or the one of the words where nothing is translated to it. */
export function languageOf(asked: string = spoken): string {
  return translated.some(([language]) => language === asked) ? asked : spoken;
}

/** A sentence that is written elsewhere, the description of a key of a format, with a blank behind it; empty in a language that has it not. */
export function sayAgain(text: string): Localized {
  const others = translated.map(([language, table]) => [language, table[text] === undefined ? '' : `${table[text]} `]);
  return Object.fromEntries([[spoken, `${text} `], ...others]) as Localized;
}

/** Several things of which one will do. */
export function either([first = '', ...others]: readonly (string | Localized)[]): Localized {
  return others.reduce<Localized>((all, one) => say`${all} or ${one}`, say`${first}`);
}

/**
 * A sentence of the compiler in each of its languages. Its translations stand in sentences.json under its words, with {1}, {2} in the place of
 * what is put in. Where one is missing the words themselves stand: a test finds it.
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
