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

/** Placeholder for masked characters. It is not a letter. */
const mask = '\uFFFC';

/** Masks quotations, placeholders, e-mail addresses and link targets of a text. The result has the same length. */
export function maskUncheckedTextParts(text: string, quoted: readonly string[]): string {
  const maskPart = (part: string) => mask.repeat(part.length);
  return quoted
    .filter((quotation) => quotation.length <= text.length) // most texts are shorter than most quotations
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
export interface WordMatch {
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
