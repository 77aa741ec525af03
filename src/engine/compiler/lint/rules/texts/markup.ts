import { explainMarkup, findMarkup } from '../../../sources/find-markup.ts';
import { createFindingAt, createTextLintRule } from '../../lint-rule.ts';

export const markupLintRule = createTextLintRule('text/markup', 'W', ({ file, pointer, text }) => {
  const found = findMarkup(text);
  if (!found) return null;
  return createFindingAt({ file, pointer, value: stripMarkup(text) })(explainMarkup(found.sign));
});

const entities: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };

function stripMarkup(text: string): string {
  return text
    .replace(/<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/giu, '')
    .replace(/&([a-z]{2,8});/giu, (whole, name: string) => entities[name.toLowerCase()] ?? whole)
    .replace(/\*\*([^*]+)\*\*/gu, '$1')
    .replace(/\[([^\][]+)\]\([^()\s]+\)/gu, '$1');
}
