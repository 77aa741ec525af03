import { explain, type ProblemExplanation } from '../../sources/localized-text.ts';
import { createWordFinder, countWords, maskUncheckedTextParts } from './words.ts';

/** Maximum number of words of a label. A longer text may say "it" instead of a term. */
const maxLabelWords = 3;

/**
 * Returns a function that finds terms of a text that its translation lacks, with the terms that only the translation has. `terms` has the
 * translation of each term. A longer text without other terms is accepted. A term of several words may also be translated as the terms in it.
 */
export function createTermComparison(
  terms: Readonly<Record<string, string>> = {},
): (text: string, translated: string) => readonly (readonly [inBase: string, inOther: string])[] {
  const [originals, translations] = [Object.keys(terms), Object.values(terms)];
  const [findOriginals, findTranslations] = [createWordFinder(originals), createWordFinder(translations)];
  const translationsByTerm = new Map(
    originals.map((term) => {
      const isPart = (other: string) => other === term || createWordFinder([other])(term).length > 0;
      return [term, originals.filter(isPart).map((part) => terms[part])];
    }),
  );
  const isTranslation = (term: string, translation: string) => translationsByTerm.get(term)?.includes(translation);
  return (text, translated) => {
    const there = findOriginals(maskUncheckedTextParts(text, []));
    const here = findTranslations(maskUncheckedTextParts(translated, []));
    const lost = there.filter(({ entry }) => !here.some((own) => isTranslation(entry, own.entry)));
    const added = here.filter(({ entry }) => !there.some((own) => isTranslation(own.entry, entry)));
    if (lost.length === 0 || (added.length === 0 && countWords(text) > maxLabelWords)) return [];
    return [[lost.map(({ word }) => word).join(' '), added.map(({ word }) => word).join(' ') || '–']];
  };
}

/** Explains that a text and its original in the language `base` differ. */
export function explainDifference(base: string, inBase: string, inOther: string): ProblemExplanation {
  return explain`It differs from "${base}": ${inBase} there, ${inOther} here.
    Translate it again.`;
}
