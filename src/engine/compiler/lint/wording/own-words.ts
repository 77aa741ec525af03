/** A sign that is no letter, in the place of what a text says in words that are not its own. */
const mask = '\uFFFC';

/** A text of the same length without what is quoted, without variables, addresses and the targets of links. */
export function ownWords(text: string, quoted: readonly string[]): string {
  const hide = (part: string) => mask.repeat(part.length);
  return quoted
    .reduce((rest, quotation) => rest.replaceAll(quotation, hide), text)
    .replace(/\{[^}]*\}+|\]\([^)]*\)|\S+@\S+/g, hide);
}

/** The sentences of a text; a colon ends one as well. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.:;!?…])\s+|\n+/);
}

/** How many words a sentence has. */
export function lengthOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** A place of a text that says a word of a list. */
export interface Said {
  /** As it stands there. */
  readonly word: string;
  readonly at: number;
  /** The entry of the list. */
  readonly entry: string;
}

/** Finds whole words of a list in a text, whatever their case; `except`: phrases in which they mean something else. */
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

/** The words of a text in lower case and without accents, but for variables and addresses. */
export function wordsIn(text: string): readonly string[] {
  const plain = ownWords(text, []).toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
