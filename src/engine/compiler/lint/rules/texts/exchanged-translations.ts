import type { Json } from '../../../../core/json.ts';
import { listPlaceholders } from '../../../../core/messages.ts';
import { explain } from '../../../sources/localized-text.ts';
import { groupBy } from '../../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt, type LintFinding } from '../../lint-rule.ts';
import { listTranslatedTexts, type TranslatedText } from '../../wording/list-located-texts.ts';
import { countWords, listNormalizedWords } from '../../wording/words.ts';
import { createTranslationScorer } from '../../wording/translation-scorer.ts';

export const exchangedTranslationsLintRule = createDefinitionsLintRule('text/exchanged', 'W', (subject) =>
  subject.set.languages
    .slice(1)
    .flatMap((language) => [...findExchangedTranslations(listTranslatedTexts(language, subject))]),
);

/** Minimum increase of the sum of two scores by swapping the translations, in one list and elsewhere. A smaller increase is not reported. */
const minSwapGain = { list: 0.2, elsewhere: 0.4 } as const;
/** Score of `createTranslationScorer` above which a translation is never reported. */
const goodFit = 0.7;

function* findExchangedTranslations(pairs: readonly TranslatedText[]): Iterable<LintFinding> {
  const fit = createTranslationScorer(pairs);
  const computeGain = ([a, b]: readonly [TextPair, TextPair]) =>
    fit(a.text, b.translated) + fit(b.text, a.translated) - fit(a.text, a.translated) - fit(b.text, b.translated);
  const compared = pairs.filter(({ text, translated }) => text !== translated);
  const doubtful = new Set(compared.filter(({ text, translated }) => fit(text, translated) <= goodFit));
  const words = new Map(compared.filter(isLabel).map((pair) => [pair, listWordsOfPair(pair)]));
  for (const own of groupBy(compared, ({ file }) => file.path).values())
    for (const [index, first] of own.entries())
      for (const second of own.slice(index + 1)) {
        const isGain =
          (doubtful.has(first) &&
            doubtful.has(second) &&
            computeGain([first, second]) >= minSwapGain[isSameList(first, second) ? 'list' : 'elsewhere']) ||
          computeGain(omitSharedWords(words.get(first), words.get(second))) >= minSwapGain.elsewhere;
        if (
          !isGain ||
          first.translated === second.translated ||
          first.text === second.text ||
          !haveSamePlaceholders(first, second)
        )
          continue;
        const related = [{ file: second.file.path, pointer: second.pointer }, first.base];
        const fix = [createReplacement(first, second.translated), createReplacement(second, first.translated)];
        yield createFindingAt({ file: first.file, pointer: first.pointer, related, fix })(explain`
          "${first.translated}" and "${second.translated}" are in the opposite order of ${first.base.file}.
          Find out which of the two files is wrong, and swap them there.`);
      }
}

function isSameList(...texts: readonly TranslatedText[]): boolean {
  return new Set(texts.map(({ pointer }) => pointer.replace(/\/\d+(?:\/text)?$/, '/'))).size === 1;
}

type TextPair = Pick<TranslatedText, 'text' | 'translated'>;

/** Maximum number of words of labels that are also compared without their common words: "Entrar con …". */
const maxLabelWords = 8;

function isLabel({ text }: TextPair): boolean {
  return countWords(text) <= maxLabelWords;
}

function listWordsOfPair({ text, translated }: TextPair) {
  return { text: new Set(listNormalizedWords(text)), translated: new Set(listNormalizedWords(translated)) };
}

type PairWords = ReturnType<typeof listWordsOfPair>;

/** Returns the words in which two labels and their translations differ. Returns empty texts if the labels or translations have no common words. */
function omitSharedWords(first?: PairWords, second?: PairWords): readonly [TextPair, TextPair] {
  const none = { text: '', translated: '' };
  const omit = (own: ReadonlySet<string>, other: ReadonlySet<string>) => [...own].filter((word) => !other.has(word));
  const omitAll = (own: PairWords, other: PairWords): TextPair => {
    const [text, translated] = [omit(own.text, other.text), omit(own.translated, other.translated)];
    const isAlike = text.length < own.text.size && translated.length < own.translated.size;
    return isAlike ? { text: text.join(' '), translated: translated.join(' ') } : none;
  };
  return first && second ? [omitAll(first, second), omitAll(second, first)] : [none, none];
}

/** Whether two translations have the same placeholders, so that they could be swapped. Another rule reports wrong placeholders. */
function haveSamePlaceholders(first: TranslatedText, second: TranslatedText): boolean {
  const joinPlaceholders = (text: string) => [...listPlaceholders(text)].sort().join(' ');
  return (
    joinPlaceholders(first.text) === joinPlaceholders(second.translated) &&
    joinPlaceholders(second.text) === joinPlaceholders(first.translated)
  );
}

function createReplacement({ file, pointer }: TranslatedText, value: Json) {
  return { file: file.path, pointer, value };
}
