import { explain, type ProblemExplanation } from '../../sources/localized-text.ts';
import type { TranslatedText } from './list-located-texts.ts';
import type { WordingRules } from './wording-faults.ts';
import { createWordFinder, maskUncheckedTextParts, splitSentences } from './words.ts';

type NegationWords = Pick<WordingRules, 'negations' | 'failure'>;
type TextPair = Pick<TranslatedText, 'text' | 'translated'>;

/** Creates a check for a negation that only one of a text and its translation has. It compares sentence by sentence if both have equally many. */
export function createNegationCheck(
  base: NegationWords = {},
  other: NegationWords = {},
): (pair: TextPair) => ProblemExplanation | null {
  if (!base.negations || !other.negations) return () => null;
  const [ofBase, ofOther] = [createNegationFinder(base), createNegationFinder(other)];
  return ({ text, translated }) => {
    const [there, here] = [splitIntoSentences(text), splitIntoSentences(translated)];
    const pairs = there.length === here.length ? there.map((one, at) => [one, here[at] ?? ''] as const) : [];
    for (const [one, its] of pairs.length > 0 ? pairs : [[there.join(' '), here.join(' ')] as const]) {
      if (ofBase.denies(one) && !ofOther.isNegative(its)) return explainLoss(one, its);
      if (ofOther.denies(its) && !ofBase.isNegative(one)) return explainLoss(its, one);
    }
    return null;
  };
}

function createNegationFinder({ negations = [], failure = [] }: NegationWords) {
  const [findFirst, findAny] = [createWordFinder(negations.slice(0, 1)), createWordFinder([...negations, ...failure])];
  return {
    denies: (sentence: string) => findFirst(maskUncheckedTextParts(sentence, [])).length > 0,
    isNegative: (sentence: string) => findAny(maskUncheckedTextParts(sentence, [])).length > 0,
  };
}

function splitIntoSentences(text: string): readonly string[] {
  return splitSentences(text).filter((sentence) => /\p{L}/u.test(maskUncheckedTextParts(sentence, [])));
}

function explainLoss(negative: string, other: string): ProblemExplanation {
  return explain`"${other}" lacks the negation of "${negative}".
    Correct the text that says the opposite.`;
}
