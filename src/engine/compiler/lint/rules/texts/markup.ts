import { explain } from '../../../sources/localized-text.ts';
import { createFindingAt, createTextLintRule } from '../../lint-rule.ts';

export const markupLintRule = createTextLintRule('text/markup', 'W', ({ file, pointer, text }) => {
  const found = findMarkup(text);
  if (!found) return null;
  return createFindingAt({ file, pointer, value: stripMarkup(text) })(explain`
    Texts are displayed as written: "${found.sign}" appears with its markup.
    Write plain text. A paragraph is an entry of a list. A link belongs in "link" or "links".`);
});

const markup =
  /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>|&(?:[a-z]{2,8}|#\d+|#x[\da-f]+);|\*\*[^*]+\*\*|\[[^\][]+\]\([^()\s]+\)/iu;

/** Finds HTML, entities and Markdown in a text. Returns `null` if there is none. */
export function findMarkup(text: string): { readonly sign: string; readonly index: number } | null {
  const found = markup.exec(text);
  return found && { sign: found[0], index: found.index };
}

const entities: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };

function stripMarkup(text: string): string {
  return text
    .replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/giu, '')
    .replace(/&([a-z]{2,8});/giu, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\*\*([^*]+)\*\*/gu, '$1')
    .replace(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1');
}
