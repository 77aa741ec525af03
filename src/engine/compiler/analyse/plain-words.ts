/** How texts of one language are written for everybody. */
export interface PlainWords {
  /** Most words of a sentence. */
  readonly longest: number;
  /** What is not said, as alternatives of a regular expression of whole words, and what to do instead. */
  readonly refused: readonly { readonly words: string; readonly instead: string }[];
  /** Wording that somebody else laid down, which stays as it is. */
  readonly quoted: readonly string[];
}

/** What is left of a text without what is quoted, without variables, addresses and the targets of links. */
export function without(text: string, quoted: readonly string[]): string {
  return quoted
    .reduce((rest, quotation) => rest.replaceAll(quotation, ''), text)
    .replace(/\{[^}]*\}+|\]\([^)]*\)|\S+@\S+/g, '');
}

/** The first of some words that a text says, as it stands there. */
export function wordsIn(words: string, text: string): string | undefined {
  return new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu').exec(text)?.[0];
}

/** The sentences of a text; a colon ends one as well. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.:;!?…])\s+|\n+/);
}

/** How many words a sentence has. */
export function lengthOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}
