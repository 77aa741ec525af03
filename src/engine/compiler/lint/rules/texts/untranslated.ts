import { groupBy } from '../../../../core/json.ts';
import { explain, type ProblemExplanation } from '../../../sources/localized-text.ts';
import { createFindingAt, createTextsLintRule } from '../../lint-rule.ts';
import { listLocatedTexts, listTranslatedTexts, type TranslatedText } from '../../wording/list-located-texts.ts';
import type { WordingRules } from '../../wording/wording-faults.ts';
import { countWords, createWordFinder, listNormalizedWords } from '../../wording/words.ts';
import { findList } from './exchanged-translations.ts';

export const untranslatedLintRule = createTextsLintRule('text/same', 'W', (subject) => {
  const { set, contract } = subject;
  return set.languages.slice(1).flatMap((language) => {
    const texts = listTranslatedTexts(language, subject);
    const wording = [contract.wording?.[language], contract.wording?.[set.baseLanguage]] as const;
    const untranslated = texts.filter(createUntranslatedCheck(texts, ...wording));
    if (untranslated.length === 0) return [];
    const isName = createNameCheck(
      texts,
      listLocatedTexts(set.baseLanguage, subject).map(({ text }) => text),
    );
    const isWithLabel = ({ file, pointer }: TranslatedText) =>
      untranslated.some((other) => other.file === file && other.pointer === pointer.replace(optionPart, '/ui:title'));
    const reported = untranslated.filter((pair) => isWithLabel(pair) || !isName(pair));
    return [...groupBy(reported, getListKey).values()].flatMap(([first, ...others]) => {
      if (!first) return [];
      const related = [first.base, ...others.map(({ file, pointer }) => ({ file: file.path, pointer }))];
      return createFindingAt({ file: first.file, pointer: first.pointer, related })(
        explainUntranslated(first.text, contract.wordingFile, others.length),
      );
    });
  });
});

const optionPart = /\/ui:enumNames\/\d+$/;

function getListKey(pair: TranslatedText): string {
  return `${pair.file.path} ${findList(pair)}`;
}

/** Matches a text whose words are all capitalized, except short ones between them, e.g. "Treinta y Tres". */
const capitalizedWords = /^\p{Lu}[\p{L}.]*(?: (?:\p{Ll}{1,3} )*\p{Lu}[\p{L}.]*)*$/u;

/**
 * Creates a predicate for proper names among the options of a field: capitalized words that are in no text of `originals` in lower case. At least half
 * of the options must be equal in both languages.
 */
function createNameCheck(pairs: readonly TranslatedText[], originals: readonly string[]) {
  const words = new Set(originals.flatMap((text) => text.match(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu) ?? []));
  const lists = groupBy(pairs, getListKey);
  return (pair: TranslatedText): boolean => {
    const list = lists.get(getListKey(pair)) ?? [];
    const equal = list.filter(({ text, translated }) => text === translated);
    return (
      optionPart.test(pair.pointer) &&
      equal.length * 2 >= list.length &&
      capitalizedWords.test(pair.text) &&
      (pair.text.includes(' ') || !words.has(pair.text.toLowerCase()))
    );
  };
}

/**
 * Creates a predicate for untranslated texts. A text is untranslated if it equals the original and has words that the languages do not share. They
 * share the words listed in `same`, and those of an original that also occur in a text translated otherwise.
 */
export function createUntranslatedCheck(
  pairs: readonly TextWithTranslation[],
  { same, quoted }: Pick<WordingRules, 'same' | 'quoted'> = { quoted: [] },
  base?: WordingRules,
): (pair: TextWithTranslation) => boolean {
  if (!same) return () => false;
  const foreignIn = createWordFinder(base?.foreign ?? []);
  const translated = pairs.filter((pair) => pair.text !== pair.translated);
  const inTranslations = new Set(translated.flatMap((pair) => listNormalizedWords(pair.translated)));
  const shared = translated.flatMap(({ text }) => listNormalizedWords(text)).filter((word) => inTranslations.has(word));
  const known = new Set([...same, ...shared]);
  const isAlike = (text: string) =>
    quoted.includes(text) ||
    listNormalizedWords(text).every((word) => known.has(word) || word.length === 1 || !/\p{L}/u.test(word));
  // skip an original in the wrong language, which the rule text/language reports
  return (pair) => pair.text === pair.translated && !isAlike(pair.text) && foreignIn(pair.text).length === 0;
}

type TextWithTranslation = Pick<TranslatedText, 'text' | 'translated'>;

/** Minimum number of words of a text that is a paragraph, and has words that the languages do not share. */
const minParagraphWords = 8;

/** `others` is the number of other untranslated texts of the same list. */
export function explainUntranslated(text: string, wordingFile = '', others = 0): ProblemExplanation {
  if (others > 0)
    return explain`"${text}" and other texts of this list (${others}) are not translated.
      Translate them. List words that are the same in both languages in "same" of ${wordingFile}.`;
  if (countWords(text) >= minParagraphWords)
    return explain`This paragraph is not translated: "${text}".
      Translate it.`;
  return explain`"${text}" is not translated.
    Translate it. List words that are the same in both languages in "same" of ${wordingFile}.`;
}
