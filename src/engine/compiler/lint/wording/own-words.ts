/** Placeholder for masked characters. It is not a letter. */
const mask = '\uFFFC';

/** Masks quotations, variables, addresses and link targets of a text. Its length does not change. */
export function ownWords(text: string, quoted: readonly string[]): string {
  const hide = (part: string) => mask.repeat(part.length);
  return quoted
    .reduce((rest, quotation) => rest.replaceAll(quotation, hide), text)
    .replace(/\{[^}]*\}+|\]\([^)]*\)|\S+@\S+/g, hide);
}

/** Splits a text into sentences. A colon also ends a sentence. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.:;!?…])\s+|\n+/);
}

/** Number of words in a sentence. */
export function lengthOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** An occurrence of a list entry in a text. */
export interface Said {
  /** As it appears in the text. */
  readonly word: string;
  readonly at: number;
  readonly entry: string;
}

/** Returns a function that finds the entries of a list as whole words, ignoring case. `except` lists phrases with another meaning. */
export function wordFinder(
  entries: readonly string[],
  except: readonly string[] = [],
): (text: string) => readonly Said[] {
  const all = [...except, ...entries].map((entry) => ({ entry, pattern: patternOf(entry) }));
  if (all.length === 0) return () => [];
  const longestFirst = all.toSorted((a, b) => b.entry.length - a.entry.length);
  const any = new RegExp(whole(longestFirst.map(({ pattern }) => pattern).join('|')), 'giu');
  const single = longestFirst.map(({ entry, pattern }) => ({ entry, alone: new RegExp(`^(?:${pattern})$`, 'iu') }));
  return (text) =>
    [...text.matchAll(any)].flatMap(({ 0: word, index }) => {
      const entry = single.find(({ alone }) => alone.test(word))?.entry;
      return entry === undefined || except.includes(entry) ? [] : [{ word, at: index, entry }];
    });
}

function whole(pattern: string): string {
  return String.raw`(?<![\p{L}-])(?:${pattern})(?![\p{L}-])`;
}

function patternOf(entry: string): string {
  return entry
    .split(' ')
    .map((word) => word.replace(/[.+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll('*', String.raw`\p{L}*`))
    .join(String.raw`\s+`);
}

/** Returns the words of a text in lower case and without accents, except variables and addresses. */
export function wordsIn(text: string): readonly string[] {
  const plain = ownWords(text, []).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
