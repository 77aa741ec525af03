/** Minimum number of occurrences at which a word counts as correct, for mistakes in accents and in letters. */
const minOccurrences = { accent: 3, letter: 6 } as const;
/** Minimum length of a checked word in letters. Shorter words often differ by only one letter. */
const minWordLength = { accent: 6, letter: 6 } as const;

/** Learns correct spellings from word counts. Returns a function that suggests the probable spelling of a rare word. */
function createSpellingSuggester(counts: ReadonlyMap<string, number>): (word: string) => string | undefined {
  const accented = new Map<string, string>();
  const byGap = new Map<string, string[]>();
  for (const [word, count] of counts) {
    // skip final accents, which distinguish tenses: ingreso, ingresó
    if (count >= minOccurrences.accent && removeAccents(word) !== word && removeAccents(word).at(-1) === word.at(-1))
      accented.set(removeAccents(word), word);
    if (count < minOccurrences.letter || word.length < minWordLength.letter) continue;
    for (const gap of listDeletions(word)) byGap.set(gap, [...(byGap.get(gap) ?? []), word]);
  }
  const isInflection = (word: string) => {
    const ending = removeAccents(word.slice(-1));
    return ending !== word.slice(-1) && (ending === 'o' || counts.has(`${word.slice(0, -1)}${ending}r`)); // código, codificó
  };
  return (word) => {
    const usual = word.length < minWordLength.accent ? undefined : accented.get(removeAccents(word));
    if (usual !== undefined && usual !== word && !isInflection(word)) return usual;
    if (word.length < minWordLength.letter) return undefined;
    const candidates = [word, ...listDeletions(word)].flatMap((gap) => byGap.get(gap) ?? []);
    return candidates.find((candidate) => removeAccents(candidate) !== removeAccents(word) && isTypo(word, candidate));
  };
}

/**
 * Finds words that occur only once, and that the other texts spell differently, and verbs without their final accent. `texts` are all texts of a
 * language.
 */
export function createMisspellingFinder(
  texts: readonly string[],
  { quoted, reflexives = [] }: SpellingRules,
): (text: string) => readonly (WordOccurrence & { readonly instead: string })[] {
  const counts = new Map<string, number>();
  for (const { word } of texts.flatMap((text) => listWordOccurrences(text, quoted)))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  const suggestWord = createSpellingSuggester(counts);
  const suggestSpacing = createSpacingSuggester(texts.flatMap((text) => listPhrases(text, quoted)));
  /** Returns the past tense of a verb after a pronoun such as "se", after which the first person is never meant: "se cambio". */
  const suggestPast = ({ word }: WordOccurrence, before?: WordOccurrence): string | undefined => {
    const past = word.replace(/o$/, 'o\u0301').normalize();
    return before && reflexives.includes(before.word) && past !== word && counts.has(past) ? past : undefined;
  };
  return (text) => [
    ...listWordOccurrences(text, quoted).flatMap((found, index, words) => {
      const before = words[index - 1];
      const isNext = before !== undefined && before.at + before.word.length + 1 === found.at;
      const instead =
        (counts.get(found.word) === 1 ? suggestWord(found.word) : undefined) ??
        suggestPast(found, isNext ? before : undefined);
      return instead === undefined ? [] : [{ ...found, instead }];
    }),
    ...listPhrases(text, quoted)
      .toSorted((a, b) => a.word.length - b.word.length)
      .flatMap((found) => suggestSpacing(found.word).map((instead) => ({ ...found, instead })))
      .slice(0, 1), // longer phrases contain the same mistake
  ];
}

export interface SpellingRules {
  /** Official wording that is exempt from the rules. */
  readonly quoted: readonly string[];
  /** Pronouns after which a verb is never in the first person, e.g. "se". */
  readonly reflexives?: readonly string[];
}

/** Minimum number of letters of phrases whose spaces are checked, and of their last word. Shorter last words may be pronouns: "cambiar la". */
const minPhraseLength = { all: 9, last: 4 } as const;

/** Returns all sequences of up to three words with their index. */
function listPhrases(text: string, quoted: readonly string[]): readonly WordOccurrence[] {
  const words = listWordOccurrences(text, quoted);
  return words.flatMap(({ at }, start) =>
    [1, 2, 3].flatMap((count): readonly WordOccurrence[] => {
      const parts = words.slice(start, start + count).map(({ word }) => word);
      const word = parts.join(' ');
      const isAdjacent = parts.length === count && text.slice(at, at + word.length).toLowerCase() === word;
      const isLong =
        joinWords(word).length >= minPhraseLength.all && (parts.at(-1)?.length ?? 0) >= minPhraseLength.last;
      return isAdjacent && isLong ? [{ word, at }] : [];
    }),
  );
}

function joinWords(phrase: string): string {
  return phrase.replaceAll(' ', '');
}

/** Learns where phrases have spaces. Returns a function that finds the usual spelling of a phrase that occurs once: "video llamada", "ala cuenta". */
function createSpacingSuggester(phrases: readonly WordOccurrence[]): (phrase: string) => readonly string[] {
  const spellings = new Map<string, Map<string, number>>();
  for (const { word } of phrases) {
    const counts = spellings.get(joinWords(word)) ?? new Map<string, number>();
    spellings.set(joinWords(word), counts.set(word, (counts.get(word) ?? 0) + 1));
  }
  return (phrase) => {
    const counts = spellings.get(joinWords(phrase));
    if (!counts || counts.size === 1 || counts.get(phrase) !== 1) return [];
    return [...counts].flatMap(([other, count]) => (count >= minOccurrences.accent ? [other] : [])).slice(0, 1);
  };
}

export interface WordOccurrence {
  /** The word in lower case. */
  readonly word: string;
  readonly at: number;
}

/** Returns the words of a text. Omits quotations and parts of names and addresses. */
export function listWordOccurrences(text: string, quoted: readonly string[]): readonly WordOccurrence[] {
  const words = maskUncheckedTextParts(text, quoted).matchAll(/(?<![\p{L}\d._-])\p{L}+(?![\p{L}\d_-]|\.\p{L})/gu);
  return [...words].map(({ 0: word, index }) => ({ word: word.toLowerCase(), at: index }));
}

export function removeAccents(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

/** Returns a word, and every text that results from deleting one of its letters. */
function listDeletions(word: string): readonly string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** Whether two words differ by one extra letter or by two swapped letters. Returns `false` if the words differ near an end, as inflected forms do. */
export function isTypo(a: string, b: string): boolean {
  const [one, other] = [removeAccents(a), removeAccents(b)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [rest, otherRest] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (rest.length + otherRest.length === 1 && rest + otherRest === one[start - 1]) return start >= 2 && end >= 1; // a doubled letter
  if (start < 2 || end < 3) return false;
  const isExchange = rest.length === 2 && rest === [...otherRest].reverse().join('');
  return isExchange || rest.length + otherRest.length === 1;
}

/** Placeholder for masked characters. It is not a letter. */
const mask = '\uFFFC';

/** Masks quotations, placeholders, e-mail addresses and link targets of a text. The result has the same length. */
export function maskUncheckedTextParts(text: string, quoted: readonly string[]): string {
  const maskPart = (part: string) => mask.repeat(part.length);
  return quoted
    .reduce((rest, quotation) => rest.replaceAll(quotation, maskPart), text)
    .replace(/\{[^}]*\}+|\]\([^)]*\)|\S+@\S+/g, maskPart);
}

/** Splits a text into sentences. A colon also ends a sentence. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.:;!?…])\s+|\n+/);
}

export function countWords(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** Capitalizes the first letter of `instead` if that of `word` is capitalized. */
export function capitalizeLike(word: string, instead: string): string {
  return /^\P{L}*\p{Lu}/u.test(word) ? instead.replace(/\p{L}/u, (letter) => letter.toUpperCase()) : instead;
}

/** An occurrence of a list entry in a text. */
interface WordMatch {
  /** The occurrence as it appears in the text. */
  readonly word: string;
  readonly at: number;
  readonly entry: string;
}

/**
 * Returns a function that finds the entries of a list as complete words, ignoring case. `except` lists phrases in which an entry has another meaning.
 */
export function createWordFinder(
  entries: readonly string[],
  except: readonly string[] = [],
): (text: string) => readonly WordMatch[] {
  const all = [...except, ...entries].map((entry) => ({ entry, pattern: buildPattern(entry) }));
  if (all.length === 0) return () => [];
  const longestFirst = all.toSorted((a, b) => b.entry.length - a.entry.length);
  const any = new RegExp(buildWordPattern(longestFirst.map(({ pattern }) => pattern).join('|')), 'giu');
  const single = longestFirst.map(({ entry, pattern }) => ({ entry, alone: new RegExp(`^(?:${pattern})$`, 'iu') }));
  return (text) =>
    [...text.matchAll(any)].flatMap(({ 0: word, index }) => {
      const entry = single.find(({ alone }) => alone.test(word))?.entry;
      return entry === undefined || except.includes(entry) ? [] : [{ word, at: index, entry }];
    });
}

function buildWordPattern(pattern: string): string {
  return String.raw`(?<![\p{L}-])(?:${pattern})(?![\p{L}-])`;
}

function buildPattern(entry: string): string {
  return entry
    .split(' ')
    .map((word) => word.replace(/[.+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll('*', String.raw`\p{L}*`))
    .join(String.raw`\s+`);
}

/** Returns the words of a text in lower case, without accents. Omits placeholders, e-mail addresses and link targets. */
export function listNormalizedWords(text: string): readonly string[] {
  const plain = maskUncheckedTextParts(text, []).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the words of a name such as `repeatedEmail` or `repetir_email`. */
export function listNameWords(name: string): readonly string[] {
  return listNormalizedWords(name.replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

/** Length of the common beginning of related words, e.g. "quitar" and "quitada". */
const stemLength = 4;

/** Counts the words of a name whose beginning a word of another name shares. */
export function countRelatedWords(one: string, other: string): number {
  const stems = listNameWords(other).map((word) => word.slice(0, stemLength));
  return listNameWords(one).filter((word) => stems.includes(word.slice(0, stemLength))).length;
}
