import { explain, say, type Explanation, type Localized } from '../../../sources/say.ts';
import { type Subject, groupBy } from '../../subject.ts';
import { type Finding, type LintRule, reportAt, setRule, textRule } from '../../rule.ts';
import { nearWords, ownWords, withCaseOf, wordFinder, wordsIn } from '../../wording/own-words.ts';
import { textsIn, type LocatedText, pairedTables, pairedTexts, type PairedText } from '../../wording/read-texts.ts';
import { wordingRules, wordingValidator, type Wording, translationFit } from '../../wording/faults.ts';
import { textTable } from '../../../files/plugin-table.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { placeholders } from '../../../../core/messages.ts';
import type { Json } from '../../../../core/json.ts';

const textTyped = textRule('text/typed', 'W', ({ file, pointer, origin, text }) => {
  const slip = blanks(text) ?? slipIn(text) ?? beginning(text, origin.pointer) ?? checkLabelEnd(text, origin.pointer);
  if (slip)
    return reportAt({ file, pointer, value: slip.mended })(explain`${slip.message}
      Write "${slip.mended}".`);
  if (!isShouted(text)) return null;
  return reportAt({ file, pointer })(explain`This text is all in capitals.
    Write it as a sentence.`);
});

interface Correction {
  readonly message: Localized;
  readonly mended: string;
}

function blanks(text: string): Correction | null {
  const mended = text.trim().replaceAll(/ {2,}/g, ' ');
  return mended === text ? null : { message: say`This text has blanks too many.`, mended };
}

/** Typos that any text may have, with their replacement and message. */
const slips: readonly (readonly [RegExp, (part: string) => string, (part: string) => Localized])[] = [
  [
    /(?<![\p{L}\d-])(\p{L}{2,}) \1(?![\p{L}-])/iu,
    (part) => part.slice(0, part.indexOf(' ')),
    (part) => say`"${part}": the word stands twice.`,
  ],
  [/(?<=\p{L}) (?=[,;:.!?](?:\s|$))/u, () => '', () => say`There is a blank before a sign.`],
  [
    /(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})|(?<=\p{L}{2}[,;])(?=\p{L}{2})/u,
    () => ' ',
    () => say`There is no blank behind a sign.`,
  ],
  [/(?<!\.)\.\.(?!\.)|,,|;;|::/, (part) => part.slice(0, 1), (part) => say`"${part}": the sign stands twice.`],
];

function slipIn(text: string): Correction | null {
  const own = ownWords(text, []);
  for (const [pattern, instead, message] of slips) {
    const found = pattern.exec(own);
    if (!found) continue;
    const [part] = found;
    const mended = text.slice(0, found.index) + instead(part) + text.slice(found.index + part.length);
    return { message: message(part), mended };
  }
  return null;
}

/** Texts that begin a sentence. */
const alone = /\/(?:title|ui:title|step|intro|text)$|\/(?:title|intro)\/\d+\/text$/;

function beginning(text: string, pointer: string): Correction | null {
  const [first] = /^\p{Ll}+(?![\p{L}\d.@{-])/u.exec(text) ?? []; // does not match gub.uy or eBay
  if (first === undefined || !alone.test(pointer) || /^\/intro\/\d+\/link/.test(pointer)) return null; // such a link continues a sentence
  return {
    message: say`This text begins with a small letter.`,
    mended: text.charAt(0).toUpperCase() + text.slice(1),
  };
}

function checkLabelEnd(text: string, pointer: string): Correction | null {
  const [sign] = /\s*[:*]$/.exec(text) ?? [];
  if (sign === undefined || !pointer.endsWith('/ui:title')) return null;
  return {
    message: say`The label ends with "${sign.trim()}": which fields are required is shown by itself.`,
    mended: text.slice(0, -sign.length),
  };
}

/** Minimum number of words in capitals. A shorter text may be a name, or something that users have to type. */
const fewest = 3;

function isShouted(text: string): boolean {
  const words = ownWords(text, []).match(/\p{L}{2,}/gu) ?? [];
  return words.length >= fewest && words.every((word) => word === word.toUpperCase());
}

const textSame = setRule('text/same', 'W', (subject) => {
  const { set, contract } = subject;
  return set.languages.slice(1).flatMap((language) => {
    const isUntranslated = untranslated(contract.wording?.[language], contract.wording?.[set.baseLanguage]);
    return pairedTexts(language, subject)
      .filter(isUntranslated)
      .map(({ file, pointer, base, text }) =>
        reportAt({ file, pointer, related: [base] })(saysSame(text, contract.wordingFile)),
      );
  });
});

/** Returns a predicate for untranslated texts: equal to the original, but not made of words that both languages share. */
export function untranslated(
  { same, quoted }: Pick<Wording, 'same' | 'quoted'> = { quoted: [] },
  base?: Wording,
): (pair: Pick<PairedText, 'text' | 'translated'>) => boolean {
  if (!same) return () => false;
  const foreignIn = wordFinder(base?.foreign ?? []);
  const known = new Set(same);
  const isAlike = (text: string) =>
    quoted.includes(text) ||
    wordsIn(text).every((word) => known.has(word) || word.length === 1 || !/\p{L}/u.test(word));
  // text/language reports the original if it is in another language
  return ({ text, translated }) => text === translated && !isAlike(text) && foreignIn(text).length === 0;
}

export function saysSame(text: string, wordingFile = ''): Explanation {
  return explain`"${text}" is not translated.
    Translate it. Words that are written alike in both languages stand in "same" of ${wordingFile}.`;
}

const textExchanged = setRule('text/exchanged', 'W', (subject) =>
  subject.set.languages.slice(1).flatMap((language) => [...exchanged(pairedTexts(language, subject))]),
);

/** Minimum gain of swapping two translations. */
const margin = 0.4;
/** Pairs that fit better than this are never reported. */
const limit = 0.7;

function* exchanged(pairs: readonly PairedText[]): Iterable<Finding> {
  const fit = translationFit(pairs);
  const doubtful = pairs.filter(({ text, translated }) => text !== translated && fit(text, translated) <= limit);
  for (const own of groupBy(doubtful, ({ file }) => file.path).values())
    for (const [index, first] of own.entries())
      for (const second of own.slice(index + 1)) {
        if (first.translated === second.translated || first.text === second.text || !canStand(first, second)) continue;
        const now = fit(first.text, first.translated) + fit(second.text, second.translated);
        const then = fit(first.text, second.translated) + fit(second.text, first.translated);
        if (then - now < margin) continue;
        const related = [{ file: second.file.path, pointer: second.pointer }, first.base];
        const fix = [put(first, second.translated), put(second, first.translated)];
        yield reportAt({ file: first.file, pointer: first.pointer, related, fix })(explain`
          "${first.translated}" and "${second.translated}" stand in each other's place.
          Exchange them.`);
      }
}

// Whether two translations can be swapped: both have the same placeholders. Another rule reports wrong placeholders.
function canStand(first: PairedText, second: PairedText): boolean {
  const asked = (text: string) => [...placeholders(text)].sort().join(' ');
  return asked(first.text) === asked(second.translated) && asked(second.text) === asked(first.translated);
}

function put({ file, pointer }: PairedText, value: Json) {
  return { file: file.path, pointer, value };
}

const textWording: readonly LintRule[] = wordingRules.map((id) => {
  const inTexts = (subject: Subject) =>
    findWordingFaults(subject).flatMap((one) => (one.rule === id ? one.finding : []));
  return setRule(id, 'W', inTexts, ...(id === 'text/plural' ? [countedTexts] : []));
});

/** Cached: all rules share one analysis of the texts. */
const known = new WeakMap<Subject, ReturnType<typeof checkWordings>>();

function findWordingFaults(subject: Subject) {
  const found = known.get(subject) ?? checkWordings(subject);
  known.set(subject, found);
  return found;
}

function checkWordings(subject: Subject) {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, wording]) => {
    const faultsIn = wordingValidator(wording);
    const texts = textsIn(language, subject).map(
      (one) => [`${one.readers} ${String(one.isError)} ${one.text}`, one] as const,
    );
    return subject.cache.recheck(
      `wording ${language}`,
      [JSON.stringify(wording)],
      texts,
      ({ file, pointer, ...text }) =>
        faultsIn(text).map(({ rule, mended, ...problem }) => {
          return { rule, finding: reportAt({ file, pointer, value: mended })(problem) };
        }),
    );
  });
}

const textSpelling = setRule('text/spelling', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { quoted, articles = [], endings = {} }]) => {
    const texts = textsIn(language, subject).map((placed): TokenizedText => {
      const words = ownWords(placed.text, quoted).matchAll(/(?<![\p{L}\d._-])\p{L}+(?![\p{L}\d_-]|\.\p{L})/gu);
      return { ...placed, words: [...words].map(({ 0: word, index }) => ({ word: word.toLowerCase(), at: index })) };
    });
    return [...misspelt(texts), ...disagreeing(texts, articles, endings)];
  }),
);

interface Said {
  readonly word: string;
  readonly at: number;
}

type TokenizedText = LocatedText & { readonly words: readonly Said[] };

function finding(
  { file, pointer, text }: TokenizedText,
  { word, at }: Said,
  instead: string,
  hint: Localized,
): Finding {
  const said = text.slice(at, at + word.length);
  const value = text.slice(0, at) + withCaseOf(said, instead) + text.slice(at + word.length);
  return reportAt({ file, pointer, value })(explain`This says "${said}".
    ${hint}`);
}

function* misspelt(texts: readonly TokenizedText[]): Iterable<Finding> {
  const counts = new Map<string, number>();
  for (const { words } of texts) for (const { word } of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const near = nearWords(counts);
  for (const text of texts)
    for (const said of text.words) {
      const usual = counts.get(said.word) === 1 ? near(said.word) : undefined;
      if (usual !== undefined)
        yield finding(text, said, usual, say`Write "${usual}", as the other texts do, if that is meant.`);
    }
}

/** Minimum number of uses with the same article. */
const usually = 6;
/** Shorter words after an article are rarely nouns: "los que". */
const shortest = 4;

/** Finds articles that disagree with their noun. `articles` groups the articles by gender and number, e.g. ["el", "un"]. */
function disagreeing(
  spelt: readonly TokenizedText[],
  articles: readonly (readonly string[])[],
  endings: Readonly<Record<string, number>>,
): readonly Finding[] {
  const kindByEnding = Object.entries(endings).toSorted(([a], [b]) => b.length - a.length);
  const kindByWord = new Map(articles.flatMap((words, kind) => words.map((word) => [word, kind] as const)));
  const counts = new Map<string, readonly number[]>();
  const pairs = spelt.flatMap((text) =>
    text.words.flatMap((article, index) => {
      const noun = text.words[index + 1];
      const kind = kindByWord.get(article.word);
      const isNext = noun?.at === article.at + article.word.length + 1;
      return noun === undefined || noun.word.length < shortest || kind === undefined || !isNext
        ? []
        : [{ text, article, noun: noun.word, kind }];
    }),
  );
  for (const { noun, kind } of pairs) {
    const known = counts.get(noun) ?? articles.map(() => 0);
    counts.set(noun, known.with(kind, (known[kind] ?? 0) + 1));
  }
  return pairs.flatMap(({ text, article, noun, kind }): readonly Finding[] => {
    const known = counts.get(noun) ?? [];
    const most = known.indexOf(Math.max(...known));
    const byEnding = kindByEnding.find(([ending]) => noun.endsWith(ending))?.[1];
    const isOdd = known[kind] === 1 && (known[most] ?? 0) >= usually;
    const right = byEnding ?? (isOdd ? most : kind);
    if (right === kind) return [];
    const instead = articles[right]?.[articles[kind]?.indexOf(article.word) ?? 0] ?? articles[right]?.[0] ?? '';
    const hint = isOdd
      ? say`Write "${instead} ${noun}", as the other texts do.`
      : say`Write "${instead} ${noun}", or correct the noun.`;
    return [finding(text, article, instead, hint)];
  });
}

/** Reports texts that are only correct for some counts, such as "1 datos", and singular texts with a number that the plural text lacks. */
function* countedTexts(subject: Subject): Iterable<Finding> {
  for (const [, file] of subject.set.languages.flatMap((language) => pairedTables(language, subject))) {
    const table = textTable(file);
    for (const [key, text] of Object.entries(table)) {
      const report = reportAt({ file, pointer: `/${escapePointer(key)}` });
      const one = table[`${key}.one`];
      const [, counted] = /\{count\} (\p{L}+s)(?!\p{L})/u.exec(text) ?? [];
      if (counted !== undefined && one === undefined && !besides(key, table).some((other) => saysOne(other, counted)))
        yield report(explain`For one it says "1 ${counted}".
          Add a sentence for one, e.g. "${key}.one", or write one that fits both.`);
      else if (one !== undefined && !placeholders(text).includes('count') && placeholders(one).includes('count'))
        yield report(explain`"${key}.one" says its number, and this sentence for several does not.
          Write {count} where the number belongs.`);
    }
  }
}

/** Returns the texts with the same key prefix. */
function besides(key: string, table: Readonly<Record<string, string>>): readonly string[] {
  const head = key.slice(0, key.lastIndexOf('.') + 1) || key;
  return Object.entries(table).flatMap(([other, text]) => (other.startsWith(head) ? [text] : []));
}

/** Whether a text has the singular of a counted word. */
function saysOne(text: string, many: string): boolean {
  const [, one] = /(?:\{count\}|(?<!\d)1) (\p{L}+)/u.exec(text) ?? [];
  return one !== undefined && one !== many && many.startsWith(one.slice(0, Math.max(3, one.length - 3)));
}

export const spellingRules: readonly LintRule[] = [textSame, textExchanged, textTyped, textSpelling, ...textWording];
