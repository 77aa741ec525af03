import { listWordOccurrences, removeAccents, type WordOccurrence } from './words.ts';

/** Minimum number of occurrences at which a word counts as correct, for mistakes in accents, for slips of the keyboard, and for other mistakes in letters. */
const minOccurrences = { accent: 2, slip: 3, letter: 6 } as const;
/** Minimum length of a checked word in letters. Shorter words often differ by only one letter. */
const minWordLength = { accent: 6, slip: 5, letter: 6 } as const;
/** How much more frequent a word with accents has to be than the same word without them, if that occurs more than once. */
const minAccentRatio = 10;

type Inflections = NonNullable<SpellingRules['inflections']>;

/** Learns correct spellings from word counts. Returns a function that suggests the probable spelling of a rare word. */
function createSpellingSuggester(
  counts: ReadonlyMap<string, number>,
  inflections: Inflections,
): (word: string) => string | undefined {
  const accented = new Map<string, string>();
  const byGap = new Map<string, string[]>();
  const sequenceCounts = new Map<string, number>();
  for (const [word, count] of counts) {
    // skip final accents, which distinguish tenses: ingreso, ingresó
    if (count >= minOccurrences.accent && removeAccents(word) !== word && removeAccents(word).at(-1) === word.at(-1))
      accented.set(removeAccents(word), word);
    for (const sequence of listSequences(word))
      sequenceCounts.set(sequence, (sequenceCounts.get(sequence) ?? 0) + count);
    if (count < minOccurrences.slip || word.length < minWordLength.slip) continue;
    for (const gap of listDeletions(removeAccents(word))) byGap.set(gap, [...(byGap.get(gap) ?? []), word]);
  }
  const isInflection = (word: string) => {
    const ending = removeAccents(word.slice(-1));
    return ending !== word.slice(-1) && (ending === 'o' || counts.has(`${word.slice(0, -1)}${ending}r`)); // código, codificó
  };
  return (word) => {
    const count = counts.get(word) ?? 0;
    const usual = word.length < minWordLength.accent ? undefined : accented.get(removeAccents(word));
    const isRare = count === 1 || count * minAccentRatio <= (counts.get(usual ?? '') ?? 0);
    if (usual !== undefined && usual !== word && isRare && !isInflection(word)) return usual;
    if (count > 1 || word.length < minWordLength.slip) return undefined;
    const uniqueSequences = listSequences(word).filter((part) => sequenceCounts.get(part) === counts.get(word)).length;
    const getCount = (candidate: string) => counts.get(candidate) ?? 0;
    if (listInflections(word, inflections).some((form) => counts.has(form))) return undefined;
    const candidates = listDeletions(removeAccents(word))
      .flatMap((gap) => byGap.get(gap) ?? [])
      .toSorted((a, b) => getCount(b) - getCount(a));
    return candidates.find((candidate) => {
      if (removeAccents(candidate) === removeAccents(word)) return false;
      const isLong = Math.min(word.length, candidate.length) >= minWordLength.letter;
      const isUsual = isLong && getCount(candidate) >= minOccurrences.letter;
      return (isUsual && isTypo(word, candidate)) || isSlip(word, candidate, uniqueSequences);
    });
  };
}

interface Misspelling extends WordOccurrence {
  readonly instead: string;
  /** Forms of the word. If a text that was not counted has one of them, the word is correct. */
  readonly forms: readonly string[];
}

/** Omits the inflections of a word without its accent: the accent of "acción" is not in "acciones". */
function listForms(word: string, instead: string, inflections: Inflections): readonly string[] {
  return removeAccents(word) === removeAccents(instead) ? [word] : [word, ...listInflections(word, inflections)];
}

/**
 * Finds rare words that the other texts spell differently, and verbs without their final accent. `texts` are all texts of a
 * language.
 */
export function createMisspellingFinder(
  texts: readonly string[],
  { quoted, reflexives = [], inflections = {} }: SpellingRules,
  tokenize = createTokenizer(quoted),
): (text: string) => readonly Misspelling[] {
  const counts = new Map<string, number>();
  for (const { word } of texts.flatMap((text) => tokenize(text).words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const suggestWord = createSpellingSuggester(counts, inflections);
  const suggestSpacing = createSpacingSuggester(texts.flatMap((text) => tokenize(text).phrases));
  /** Returns the past tense of a verb after a pronoun such as "se", after which the first person is never meant: "se cambio". */
  const suggestPast = ({ word }: WordOccurrence, before?: WordOccurrence): string | undefined => {
    const past = word.replace(/o$/, 'o\u0301').normalize();
    return before && reflexives.includes(before.word) && past !== word && counts.has(past) ? past : undefined;
  };
  return (text) => {
    const { words, phrases } = tokenize(text);
    const misspelled = words.flatMap((found, index): readonly Misspelling[] => {
      const before = words[index - 1];
      const isNext = before !== undefined && before.at + before.word.length + 1 === found.at;
      const usual = suggestWord(found.word);
      const instead = usual ?? suggestPast(found, isNext ? before : undefined);
      return instead === undefined
        ? []
        : [{ ...found, instead, forms: usual ? listForms(found.word, usual, inflections) : [] }];
    });
    const [misspaced] = phrases
      .flatMap((found) => suggestSpacing(found.word).map((instead) => ({ ...found, instead, forms: [] })))
      .toSorted((a, b) => a.word.length - b.word.length); // longer phrases contain the same mistake
    return misspaced ? [...misspelled, misspaced] : misspelled;
  };
}

export interface SpellingRules {
  /** Official wording that is exempt from the rules. */
  readonly quoted: readonly string[];
  /** Pronouns after which a verb is never in the first person, e.g. "se". */
  readonly reflexives?: readonly string[];
  /** Endings of words, with the endings of their other forms, e.g. { "os": ["o", "a", "as"] }. */
  readonly inflections?: Readonly<Record<string, readonly string[]>>;
}

/** Minimum number of letters of phrases whose spaces are checked, and of their last word. Shorter last words may be pronouns: "cambiar la". */
const minPhraseLength = { all: 9, last: 4 } as const;

/** Returns a function that splits a text into words and phrases. It remembers its results. */
export function createTokenizer(quoted: readonly string[]) {
  const tokens = new Map<string, ReturnType<typeof tokenizeText>>();
  return (text: string) => {
    const own = tokens.get(text) ?? tokenizeText(text, quoted);
    tokens.set(text, own);
    return own;
  };
}

function tokenizeText(text: string, quoted: readonly string[]) {
  const words = listWordOccurrences(text, quoted);
  return { words, phrases: listPhrases(text, words) };
}

/** Returns all sequences of up to three of the words of a text with their index. */
function listPhrases(text: string, words: readonly WordOccurrence[]): readonly WordOccurrence[] {
  const phrases: WordOccurrence[] = [];
  for (const [start, { at }] of words.entries()) {
    let [phrase, letters] = ['', 0];
    for (const { word, at: next } of words.slice(start, start + 3)) {
      if (phrase !== '' && text.slice(at + phrase.length, next) !== ' ') break;
      phrase = phrase === '' ? word : `${phrase} ${word}`;
      letters += word.length;
      if (letters >= minPhraseLength.all && word.length >= minPhraseLength.last) phrases.push({ word: phrase, at });
    }
  }
  return phrases;
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

/** Returns the other forms of a word, e.g. of the other number or gender. */
function listInflections(word: string, inflections: Inflections): readonly string[] {
  return Object.entries(inflections).flatMap(([ending, others]) =>
    word.endsWith(ending) ? others.map((other) => word.slice(0, word.length - ending.length) + other) : [],
  );
}

/** Returns a word, and every text that results from deleting one of its letters. */
function listDeletions(word: string): readonly string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** Returns the sequences of three characters of a word between spaces. */
function listSequences(word: string): readonly string[] {
  const padded = ` ${removeAccents(word)} `;
  return [...new Set(Array.from(padded, (_, at) => padded.slice(at, at + 3)).slice(0, -2))];
}

/** Returns what differs between two words, and the number of letters that are the same before and after. */
function compareLetters(a: string, b: string) {
  const [one, other] = [removeAccents(a), removeAccents(b)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [rest, otherRest] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isExchange = rest.length === 2 && rest === [...otherRest].reverse().join('');
  const isDoubled = rest.length + otherRest.length === 1 && rest + otherRest === one[start - 1];
  return { start, end, rest, otherRest, isExchange, isDoubled };
}

/** Whether two words differ by one extra letter or by two swapped letters. Returns `false` if the words differ near an end, as inflected forms do. */
export function isTypo(a: string, b: string): boolean {
  const { start, end, rest, otherRest, isExchange, isDoubled } = compareLetters(a, b);
  if (isDoubled) return start >= 2 && end >= 1;
  return start >= 2 && end >= 3 && (isExchange || rest.length + otherRest.length === 1);
}

/** Whether a word is probably a misspelling of the one that it replaces: one letter differs, or two are swapped, but not at the end, as in inflected forms. */
export function isMistyped(word: string, before: string): boolean {
  const { end, rest, otherRest, isExchange } = compareLetters(word, before);
  const isOneLetter = rest.length + otherRest.length === 1 && end >= 1;
  return isExchange || isOneLetter || (rest.length === 1 && otherRest.length === 1 && end >= 2);
}

/** Adjacent keys of a keyboard, in all directions. */
const keyboardLines =
  'qwertyuiop asdfghjkl zxcvbnm qaz wsx edc rfv tgb yhn ujm ik ol wa esz rdx tfc ygv uhb ijn okm pl';

/** Minimum length of a word of which one unique sequence is enough, because few other words resemble it. */
const minDistinctLength = 7;

/**
 * Whether a word is another one with swapped letters, a doubled or a missing letter, or an adjacent key. `uniqueSequences` is the number of its
 * sequences that no other word contains. Most correct words have none.
 */
function isSlip(word: string, other: string, uniqueSequences: number): boolean {
  const { end, rest, otherRest, isExchange, isDoubled } = compareLetters(word, other);
  if (isExchange || (isDoubled && rest !== '')) return uniqueSequences >= 1;
  if (end === 0 || otherRest.length !== 1 || uniqueSequences < (other.length >= minDistinctLength ? 1 : 2))
    return false;
  const isAdjacent = [rest + otherRest, otherRest + rest].some((keys) => keyboardLines.includes(keys));
  return rest === '' || (rest.length === 1 && isAdjacent);
}
