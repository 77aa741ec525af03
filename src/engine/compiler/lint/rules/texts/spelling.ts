import { explain, say } from '../../../sources/say.ts';
import type { Localized } from '../../../localized.ts';
import type { Subject } from '../../subject.ts';
import { type Finding, type LintRule, reportAt, setRule } from '../../rule.ts';
import { nearWords, ownWords, withCaseOf } from '../../wording/own-words.ts';
import { textsIn, type LocatedText, pairedTables } from '../../wording/read-texts.ts';
import { wordingRules, wordingValidator } from '../../wording/faults.ts';
import { textTable } from '../../../files/plugin-table.ts';
import { escapePointer } from '../../../../core/json-pointer.ts';
import { placeholders } from '../../../../core/messages.ts';

/** Reports texts that violate the project's writing rules. One rule per id. */
export const textWording: readonly LintRule[] = wordingRules.map((id) => {
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
    return textsIn(language, subject).flatMap(({ file, pointer, ...text }) =>
      faultsIn(text).map(({ rule, mended, ...problem }) => {
        return { rule, finding: reportAt({ file, pointer, value: mended })(problem) };
      }),
    );
  });
}

/** Reports words that occur once and differ from the usual spelling in a few letters, an accent, or the article before them. */
export const textSpelling = setRule('text/spelling', 'W', (subject) =>
  Object.entries(subject.contract.wording ?? {}).flatMap(([language, { quoted, articles = [] }]) => {
    const texts = textsIn(language, subject).map((placed): TokenizedText => {
      const words = ownWords(placed.text, quoted).matchAll(/(?<![\p{L}\d._-])\p{L}+(?![\p{L}\d_-]|\.\p{L})/gu);
      return { ...placed, words: [...words].map(({ 0: word, index }) => ({ word: word.toLowerCase(), at: index })) };
    });
    return [...misspelt(texts), ...disagreeing(texts, articles)];
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

/** `articles` groups the articles by gender and number, e.g. ["el", "un"]. */
function disagreeing(spelt: readonly TokenizedText[], articles: readonly (readonly string[])[]): readonly Finding[] {
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
    if (known[kind] !== 1 || (known[most] ?? 0) < usually) return [];
    const instead = articles[most]?.[articles[kind]?.indexOf(article.word) ?? 0] ?? articles[most]?.[0] ?? '';
    return [finding(text, article, instead, say`Write "${instead} ${noun}", as the other texts do.`)];
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
