import { explain, localize, type LocalizedText, type ProblemExplanation } from '../../../sources/localized-text.ts';
import type { TextLintInput } from '../../lint-input.ts';
import {
  type LintFinding,
  type LintRule,
  createFindingAt,
  createTextLintRule,
  createTextsLintRule,
} from '../../lint-rule.ts';
import { createMisspellingFinder, createTokenizer } from '../../wording/misspelling-finder.ts';
import { maskUncheckedTextParts, capitalizeLike, type WordOccurrence } from '../../wording/words.ts';
import { listLocatedTexts, type LocatedText, pairTextTables } from '../../wording/list-located-texts.ts';
import { wordingRuleIds, createWordingValidator, type WordingRules } from '../../wording/wording-faults.ts';
import { pickTextEntries } from '../../../files/index-plugins.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { listPlaceholders } from '../../../../core/messages.ts';

const textTyped = createTextLintRule('text/typed', 'W', ({ file, pointer, origin, text }) => {
  const [mark] = listMark.exec(text) ?? [];
  if (mark !== undefined)
    return createFindingAt({ file, pointer, value: text.slice(mark.length) })(explain`This text begins with a list mark.
      Remove it: the points of a list are items of an array.`);
  const slip =
    checkBlanks(text) ?? findTypo(text) ?? checkCapital(text, origin.pointer) ?? checkLabelEnd(text, origin.pointer);
  if (slip)
    return createFindingAt({ file, pointer, value: slip.mended })(explain`${slip.message}
      Write "${slip.mended}".`);
  if (!isShouted(text, origin.pointer)) return null;
  return createFindingAt({ file, pointer })(explain`This text is all in capitals.
    Write it as a sentence.`);
});

/** Matches the mark of a list item at the beginning of a text. */
const listMark = /^\s*[-*\u2013\u2014\u2022\u00b7\u25aa\u25cf]\s+(?=[\p{L}¿¡"«“{])/u;

/** Explains a list mark in a document that is not Markdown, such as one pasted from a word processor. Returns `null` if there is none. */
export function findPastedListMark(line: string): ProblemExplanation | null {
  const [mark = ''] = listMark.exec(line) ?? [];
  return /[^\s\p{ASCII}\p{Pd}]/u.test(mark)
    ? explain`This text begins with a list mark.
      Remove it. In a help page, begin each item of a list with "- ".`
    : null;
}

interface Correction {
  readonly message: LocalizedText;
  readonly mended: string;
}

function checkBlanks(text: string): Correction | null {
  const mended = text.trim().replaceAll(/ {2,}/g, ' ');
  return mended === text ? null : { message: localize`This text has extra spaces.`, mended };
}

/** Typos that occur in any text, with their replacement and message. */
const typoPatterns: readonly (readonly [RegExp, (part: string) => string, (part: string) => LocalizedText])[] = [
  [
    /(?<![\p{L}\d-])(\p{L}{2,}) \1(?![\p{L}-])/iu,
    (part) => part.slice(0, part.indexOf(' ')),
    (part) => localize`The word "${part}" is repeated.`,
  ],
  [/(?<=\p{L}) (?=[,;:.!?](?:\s|$))/u, () => '', () => localize`There is a space before a punctuation mark.`],
  [
    /(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})|(?<=\p{L}{2}[,;])(?=\p{L}{2})/u,
    () => ' ',
    () => localize`A space is missing after a punctuation mark.`,
  ],
  [/\$(?=\uFFFC)/, () => '', () => localize`People read the "$" before the placeholder.`], // U+FFFC masks a placeholder
  [
    /(?<!\.)\.\.(?!\.)|,,|;;|::/,
    (part) => part.slice(0, 1),
    (part) => localize`The punctuation mark "${part}" is repeated.`,
  ],
];

function findTypo(text: string): Correction | null {
  const own = maskUncheckedTextParts(text, []);
  for (const [pattern, instead, message] of typoPatterns) {
    const { 0: part, index } = pattern.exec(own) ?? {};
    if (part === undefined || index === undefined) continue;
    return { message: message(part), mended: text.slice(0, index) + instead(part) + text.slice(index + part.length) };
  }
  return null;
}

/** Pattern of the pointers of texts that begin a sentence. */
const sentenceStart = /\/(?:title|ui:title|step|intro|text)$|\/(?:title|intro)\/\d+\/text$/;

function checkCapital(text: string, pointer: string): Correction | null {
  const [first] = /^\p{Ll}+(?![\p{L}\d.@{-])/u.exec(text) ?? []; // does not match gub.uy or eBay
  // skip a link in the intro, because it continues a sentence
  if (first === undefined || !sentenceStart.test(pointer) || /^\/intro\/\d+\/link/.test(pointer)) return null;
  return {
    message: localize`This text begins with a lower-case letter.`,
    mended: text.charAt(0).toUpperCase() + text.slice(1),
  };
}

function checkLabelEnd(text: string, pointer: string): Correction | null {
  const [sign] = /\s*[:*]$/.exec(text) ?? [];
  if (sign === undefined || !pointer.endsWith('/ui:title')) return null;
  const label = text.slice(0, -sign.length);
  const words = label.match(/\p{L}+/gu) ?? [];
  const isCapitalized = label === label.toUpperCase() && words.some((word) => word.length >= minCapitalLength);
  return {
    message: localize`The label ends with "${sign.trim()}", but the form already marks required fields.`,
    mended: isCapitalized ? capitalizeLike(label, label.toLowerCase()) : label,
  };
}

/** Minimum number of capitalized words. A shorter text may be a name, or a code that users have to type. */
const minCapitalWords = 3;
/** Minimum length of a capitalized word in a label of two words. A shorter word may be an abbreviation. */
const minCapitalLength = 5;

function isShouted(text: string, pointer: string): boolean {
  const words = maskUncheckedTextParts(text, []).match(/\p{L}{2,}/gu) ?? [];
  const isLabel = pointer.endsWith('/ui:title') && words.length === 2;
  const isTitle = pointer === '/title' && words.some((word) => word.length >= minCapitalLength);
  const isLong =
    isTitle || words.length >= minCapitalWords || (isLabel && words.every((word) => word.length >= minCapitalLength));
  return isLong && words.every((word) => word === word.toUpperCase());
}

const textWording: readonly LintRule[] = wordingRuleIds.map((id) => {
  const inTexts = (subject: TextLintInput) =>
    findWordingFaults(subject).flatMap((one) => (one.rule === id ? one.finding : []));
  return createTextsLintRule(id, 'W', inTexts, ...(id === 'text/plural' ? [findCountFaults] : []));
});

/** Wording findings by lint input. Cached, because all wording rules share one analysis of the texts. */
const wordingResults = new WeakMap<TextLintInput, ReturnType<typeof checkWordings>>();

function findWordingFaults(subject: TextLintInput) {
  const found = wordingResults.get(subject) ?? checkWordings(subject);
  wordingResults.set(subject, found);
  return found;
}

function checkWordings(subject: TextLintInput) {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) => {
    const texts = listLocatedTexts(language, subject).map(
      (one) => [`${one.readers} ${String(one.isError)} ${one.text}`, one] as const,
    );
    return subject.cache.checkChangedParts(`wording ${language}`, [subject.digest], texts, () => {
      const faultsIn = createWordingValidator(wording);
      return ({ file, pointer, ...text }) =>
        faultsIn(text).map(({ rule, corrected, ...problem }) => {
          return { rule, finding: createFindingAt({ file, pointer, value: corrected })(problem) };
        });
    });
  });
}

const textSpelling = createTextsLintRule('text/spelling', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) => {
    const { quoted, articles = [], endings = {} } = wording;
    const located = listLocatedTexts(language, subject);
    const tokenize = createTokenizer(quoted);
    const texts = located.map((own): TokenizedText => ({ ...own, words: tokenize(own.text).words }));
    return [...findMisspellings(located, wording, tokenize), ...findDisagreements(texts, articles, endings)];
  }),
);

type TokenizedText = LocatedText & { readonly words: readonly WordOccurrence[] };

function createSpellingFinding(
  { file, pointer, text }: LocatedText,
  { word, at, forms }: WordOccurrence & { readonly forms?: readonly string[] },
  instead: string,
  hint: LocalizedText,
): LintFinding {
  const found = text.slice(at, at + word.length);
  const value = text.slice(0, at) + capitalizeLike(found, instead) + text.slice(at + word.length);
  return createFindingAt({ file, pointer, value, ...(forms && { wordForms: forms }) })(explain`This says "${found}".
    ${hint}`);
}

function findMisspellings(
  texts: readonly LocatedText[],
  wording: WordingRules,
  tokenize: ReturnType<typeof createTokenizer>,
): readonly LintFinding[] {
  const find = createMisspellingFinder(
    texts.map(({ text }) => text),
    wording,
    tokenize,
  );
  return texts.flatMap((text) =>
    find(text.text).map(({ instead, ...word }) =>
      createSpellingFinding(text, word, instead, formatSpellingAdvice(instead)),
    ),
  );
}

export function formatSpellingAdvice(instead: string): LocalizedText {
  return localize`Write "${instead}", as the other texts do, if that is meant.`;
}

/** Minimum number of uses of a noun with the same article. */
const minUses = 6;
/** Minimum length of a noun in letters. Shorter words after an article are rarely nouns: "los que". */
const minNounLength = 4;

/** Finds articles that disagree with their noun. `articles` groups articles by gender and number, e.g. ["el", "un"]. */
function findDisagreements(
  spelt: readonly TokenizedText[],
  articles: readonly (readonly string[])[],
  endings: Readonly<Record<string, number>>,
): readonly LintFinding[] {
  const kindByEnding = Object.entries(endings).toSorted(([a], [b]) => b.length - a.length);
  const kindByWord = new Map(articles.flatMap((words, kind) => words.map((word) => [word, kind] as const)));
  const counts = new Map<string, readonly number[]>();
  const pairs = spelt.flatMap((text) =>
    text.words.flatMap((article, index) => {
      const noun = text.words[index + 1];
      const kind = kindByWord.get(article.word);
      const isNext = noun?.at === article.at + article.word.length + 1;
      return noun === undefined || noun.word.length < minNounLength || kind === undefined || !isNext
        ? []
        : [{ text, article, noun: noun.word, kind }];
    }),
  );
  for (const { noun, kind } of pairs) {
    const known = counts.get(noun) ?? articles.map(() => 0);
    counts.set(noun, known.with(kind, (known[kind] ?? 0) + 1));
  }
  return pairs.flatMap(({ text, article, noun, kind }): readonly LintFinding[] => {
    const known = counts.get(noun) ?? [];
    const mostFrequent = known.indexOf(Math.max(...known));
    const byEnding = kindByEnding.find(([ending]) => noun.endsWith(ending))?.[1];
    const isOdd = known[kind] === 1 && (known[mostFrequent] ?? 0) >= minUses;
    const right = byEnding ?? (isOdd ? mostFrequent : kind);
    if (right === kind) return [];
    const instead = articles[right]?.[articles[kind]?.indexOf(article.word) ?? 0] ?? articles[right]?.[0] ?? '';
    const hint = isOdd
      ? localize`Write "${instead} ${noun}", as the other texts do.`
      : localize`Write "${instead} ${noun}", or correct the noun.`;
    return [createSpellingFinding(text, article, instead, hint)];
  });
}

/** Reports texts that are only correct for some counts, such as "1 datos", and singular texts with a number that the plural text lacks. */
function* findCountFaults(subject: TextLintInput): Iterable<LintFinding> {
  for (const [, file] of subject.set.languages.flatMap((language) => pairTextTables(language, subject))) {
    const table = pickTextEntries(file);
    for (const [key, text] of Object.entries(table)) {
      const report = createFindingAt({ file, pointer: `/${escapePointer(key)}` });
      const one = table[`${key}.one`];
      const [, counted] = /\{count\} (\p{L}+s)(?!\p{L})/u.exec(text) ?? [];
      if (
        counted !== undefined &&
        one === undefined &&
        !listSiblingTexts(key, table).some((other) => hasSingular(other, counted))
      )
        yield report(explain`With a count of one, this reads "1 ${counted}".
          Add a sentence for one, e.g. "${key}.one", or write one that fits both.`);
      else if (
        one !== undefined &&
        !listPlaceholders(text).includes('count') &&
        listPlaceholders(one).includes('count')
      )
        yield report(explain`"${key}.one" contains the number, but this plural sentence does not.
          Write {count} where the number belongs.`);
    }
  }
}

/** Returns the texts whose keys have the same prefix. */
function listSiblingTexts(key: string, table: Readonly<Record<string, string>>): readonly string[] {
  const head = key.slice(0, key.lastIndexOf('.') + 1) || key;
  return Object.entries(table).flatMap(([other, text]) => (other.startsWith(head) ? [text] : []));
}

function hasSingular(text: string, many: string): boolean {
  const [, one] = /(?:\{count\}|(?<!\d)1) (\p{L}+)/u.exec(text) ?? [];
  return one !== undefined && one !== many && many.startsWith(one.slice(0, Math.max(3, one.length - 3)));
}

export const spellingLintRules: readonly LintRule[] = [textTyped, textSpelling, ...textWording];
