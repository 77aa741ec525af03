import { explain, type ProblemExplanation } from './localized-text.ts';

const markup =
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d+|#x[\da-f]+);|\*\*[^*]+\*\*|\[[^\][]+\]\([^()\s]+\)/iu;

/** Finds HTML, entities and Markdown in a text. Returns `null` if there is none. */
export function findMarkup(text: string): { readonly sign: string; readonly index: number } | null {
  const found = markup.exec(text);
  return found && { sign: found[0], index: found.index };
}

export function explainMarkup(sign: string): ProblemExplanation {
  return explain`Texts are displayed as written: "${sign}" appears with its markup.
    Write plain text. A paragraph is an entry of a list. A link belongs in "link" or "links".`;
}
