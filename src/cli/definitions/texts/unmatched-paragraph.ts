import { createTranslationScorer } from '../../../engine/compiler/lint/wording/translation-scorer.ts';
import { listMailPlaceholders } from './mail-placeholders.ts';

/** The paragraphs of a text in the base language and of its translation. */
export type ParagraphPair = readonly [base: readonly string[], translation: readonly string[]];

/**
 * Returns the first paragraph that has no counterpart in the shorter of two versions, according to the words and placeholders of all paragraphs. `pairs`
 * has all texts, from which it learns which words correspond.
 */
export function findUnmatchedParagraph([base, translation]: ParagraphPair, pairs: readonly ParagraphPair[]): string {
  const fit = createTranslationScorer(
    pairs.flatMap(([texts, translations]) =>
      texts.length === translations.length
        ? texts.map((text, index) => ({ text, translated: translations[index] ?? '' }))
        : [],
    ),
  );
  const [short, long] = base.length < translation.length ? [base, translation] : [translation, base];
  const list = (paragraph: string) => listMailPlaceholders(paragraph).join(' ');
  const compare = (inLong: string, inShort: string): number =>
    (long === base ? fit(inLong, inShort) : fit(inShort, inLong)) + (list(inLong) === list(inShort) ? 1 : 0);
  const align = (inLong: number, inShort: number): Alignment => {
    const [paragraph, counterpart] = [long[inLong], short[inShort]];
    if (paragraph === undefined) return { score: counterpart === undefined ? 0 : -Infinity, unmatched: '' };
    const skipped = { score: align(inLong + 1, inShort).score, unmatched: paragraph };
    if (counterpart === undefined) return skipped;
    const rest = align(inLong + 1, inShort + 1);
    const matched = { ...rest, score: rest.score + compare(paragraph, counterpart) };
    return skipped.score > matched.score ? skipped : matched;
  };
  return align(0, 0).unmatched;
}

interface Alignment {
  readonly score: number;
  readonly unmatched: string;
}
