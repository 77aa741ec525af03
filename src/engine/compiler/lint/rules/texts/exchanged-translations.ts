import { groupBy, type Json } from '../../../../core/json.ts';
import { listPlaceholders } from '../../../../core/messages.ts';
import { explain, type ProblemExplanation } from '../../../sources/localized-text.ts';
import { createFindingAt, createTextsLintRule, type LintFinding } from '../../lint-rule.ts';
import { listTranslatedTexts, type TranslatedText } from '../../wording/list-located-texts.ts';
import { countWords, listNormalizedWords } from '../../wording/words.ts';
import { createTranslationScorer } from '../../wording/translation-scorer.ts';

export const exchangedTranslationsLintRule = createTextsLintRule('text/exchanged', 'W', (subject) =>
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
  const lists = new Map(compared.map((pair) => [pair, findList(pair)]));
  const isSameList = (first: TranslatedText, ...others: readonly TranslatedText[]) =>
    others.every((other) => lists.get(other) === lists.get(first));
  const exchanged = new Set<TranslatedText>();
  for (const own of groupBy(compared, ({ file }) => file.path).values()) {
    const found = own.flatMap((first, index) =>
      own.slice(index + 1).flatMap((second): readonly (readonly [TranslatedText, TranslatedText])[] => {
        if (first.translated === second.translated || first.text === second.text) return [];
        const isList = isSameList(first, second);
        const different = omitSharedWords(words.get(first), words.get(second));
        const isGain =
          ((isList || (doubtful.has(first) && doubtful.has(second))) &&
            computeGain([first, second]) >= minSwapGain[isList ? 'list' : 'elsewhere']) ||
          (different !== null && computeGain(different) >= minSwapGain.elsewhere) ||
          (isList && computeGain([first, second]) >= 0 && computeLengthGain(first, second) >= minLengthGain);
        return isGain && haveSamePlaceholders(first, second) ? [[first, second]] : [];
      }),
    );
    for (const [first, second] of found) {
      const isReported = exchanged.has(first) || exchanged.has(second);
      exchanged.add(first).add(second);
      if (isReported) continue; // reports a list in another order once, although several of its texts are exchanged
      const related = [{ file: second.file.path, pointer: second.pointer }, first.base];
      const isMoved = found.some((other) => other[0] !== first && isSameList(first, ...other));
      if (isMoved)
        yield createFindingAt({ file: first.file, pointer: first.pointer, related })(explain`
          These texts are not in the order of ${first.base.file}: "${first.translated}" is in the place of "${first.text}".
          Write the whole list in the same order.`);
      else {
        const fix = [createReplacement(first, second.translated), createReplacement(second, first.translated)];
        yield createFindingAt({ file: first.file, pointer: first.pointer, related, fix })(explain`
          "${first.translated}" and "${second.translated}" are in the opposite order of ${first.base.file}.
          Find out which of the two files is wrong, and swap them there.`);
      }
    }
  }
  for (const [pair, source] of findMisplacedTranslations(pairs, fit))
    if (!exchanged.has(pair) && !(source && exchanged.has(source)))
      yield createFindingAt({ file: pair.file, pointer: pair.pointer, related: [pair.base] })(
        explainMisplaced(pair, source && { ...source, file: source.base.file }),
      );
}

/** Minimum number of words by which swapped translations of a list come closer to the length of their texts, as with "Clara" and "Muy clara". */
const minLengthGain = 2;

/** Returns by how many words two translations are closer to the length of their texts after swapping them. */
function computeLengthGain(first: TextPair, second: TextPair): number {
  const difference = (text: string, translated: string) => Math.abs(countWords(text) - countWords(translated));
  return (
    difference(first.text, first.translated) +
    difference(second.text, second.translated) -
    difference(first.text, second.translated) -
    difference(second.text, first.translated)
  );
}

/** Minimum increase of the score of a translation at the text from which it was probably pasted. */
const minPasteGain = 0.3;
/** Score below which a translation says something else, and the minimum number of words of a text that is checked without a similar one. */
const unrelated = { score: 0.2, words: 10 } as const;

/** Finds translations of another text: of `source`, which has the same translation, or of an unknown one. Each text may occur with a free translation. */
export function findMisplacedTranslations<Pair extends TextPair>(
  pairs: readonly Pair[],
  fit: ReturnType<typeof createTranslationScorer>,
): readonly (readonly [pair: Pair, source: Pair | undefined])[] {
  const byTranslation = groupBy(pairs, ({ translated }) => translated);
  const normalize = (text: string) => listNormalizedWords(text).join(' ');
  return pairs.flatMap((pair) => {
    const words = countWords(pair.text);
    const same = (byTranslation.get(pair.translated) ?? []).filter((other) => other !== pair);
    if (words <= 1 || (same.length === 0 && words < unrelated.words)) return [];
    const isTranslated = pair.text !== pair.translated && /\p{L}/u.test(normalize(pair.translated));
    if (!isTranslated || same.some(({ text }) => normalize(text) === normalize(pair.text))) return [];
    const score = fit(pair.text, pair.translated);
    const source = same.find((other) => fit(other.text, other.translated) >= score + minPasteGain);
    return source || (words >= unrelated.words && score < unrelated.score) ? [[pair, source] as const] : [];
  });
}

export function explainMisplaced(
  { text, translated }: TextPair,
  source?: TextPair & { readonly file: string },
): ProblemExplanation {
  return source
    ? explain`"${translated}" is the translation of "${source.text}" in ${source.file}, but this text is "${text}".
      Translate this one.`
    : explain`"${translated}" has nothing in common with "${text}", which it should translate.
      Translate it again.`;
}

/** Returns the pointer of the list that contains a text, or the pointer of the text if it is in no list. */
export function findList({ pointer }: TranslatedText): string {
  return pointer.replace(/\/\d+(?:\/text)?$/, '/');
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

/** Returns the words in which two labels and their translations differ. Returns `null` if the labels or translations have no common words. */
function omitSharedWords(first?: PairWords, second?: PairWords): readonly [TextPair, TextPair] | null {
  const isAlike =
    first && second && sharesWord(first.text, second.text) && sharesWord(first.translated, second.translated);
  if (!isAlike) return null;
  const omit = (own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...own].filter((word) => !other.has(word)).join(' ');
  const omitAll = (own: PairWords, other: PairWords): TextPair => ({
    text: omit(own.text, other.text),
    translated: omit(own.translated, other.translated),
  });
  return [omitAll(first, second), omitAll(second, first)];
}

function sharesWord(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const word of own) if (other.has(word)) return true;
  return false;
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
