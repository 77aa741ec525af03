import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { createTranslationScorer } from '../../../engine/compiler/lint/wording/translation-scorer.ts';
import { splitSentences } from '../../../engine/compiler/lint/wording/words.ts';
import { listFiles } from '../../project.ts';
import { explain } from '../localized-output.ts';
import { listMailPlaceholders } from './mail-placeholders.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** The paragraphs of a text in the base language and of its translation. */
export type ParagraphPair = readonly [base: readonly string[], translation: readonly string[]];

/**
 * Returns the first paragraph that has no counterpart in the shorter of two versions, according to the words and placeholders of all paragraphs. `pairs`
 * has all texts, from which it learns which words correspond.
 */
export function findUnmatchedParagraph([base, translation]: ParagraphPair, pairs: readonly ParagraphPair[]): string {
  const fit = createTranslationScorer(
    pairs.flatMap(([texts, translations]) =>
      texts.length === translations.length
        ? texts.map((text, index) => ({ text, translated: translations[index] ?? '' }))
        : [],
    ),
  );
  const [short, long] = base.length < translation.length ? [base, translation] : [translation, base];
  const list = (paragraph: string) => listMailPlaceholders(paragraph).join(' ');
  const compare = (inLong: string, inShort: string): number =>
    (long === base ? fit(inLong, inShort) : fit(inShort, inLong)) + (list(inLong) === list(inShort) ? 1 : 0);
  const align = (inLong: number, inShort: number): Alignment => {
    const [paragraph, counterpart] = [long[inLong], short[inShort]];
    if (paragraph === undefined) return { score: counterpart === undefined ? 0 : -Infinity, unmatched: '' };
    const skipped = { score: align(inLong + 1, inShort).score, unmatched: paragraph };
    if (counterpart === undefined) return skipped;
    const rest = align(inLong + 1, inShort + 1);
    const matched = { ...rest, score: rest.score + compare(paragraph, counterpart) };
    return skipped.score > matched.score ? skipped : matched;
  };
  return align(0, 0).unmatched;
}

interface Alignment {
  readonly score: number;
  readonly unmatched: string;
}

/** Maximum difference between the numbers of paragraphs of two pages that are aligned. */
const maxUnmatched = 3;

/** Finds the help and information pages whose translation has more or fewer paragraphs. `languages` has the base language first. */
export async function findUnmatchedPageParagraphs(
  root: string,
  [base = '', ...others]: readonly string[],
  language: string,
): Promise<readonly DefinitionProblem[]> {
  const pages = await listFiles(root, ['src/server/features/content'], (path) => path.endsWith('.md'));
  const texts = new Map(pages.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const pairs = pages.flatMap((file) =>
    others.flatMap((other) => {
      const path = file.replace(`/${base}/`, `/${other}/`);
      const [text, translation] = [texts.get(file), texts.get(path)];
      return path === file || text === undefined || translation === undefined
        ? []
        : [{ file, path, text, translation }];
    }),
  );
  const paragraphs = pairs.map(({ text, translation }): ParagraphPair => [
    splitParagraphs(text),
    splitParagraphs(translation),
  ]);
  return pairs.flatMap(({ file, path, text, translation }, index) => {
    const [own, translated] = paragraphs[index] ?? [[], []];
    const excess = own.length - translated.length;
    if (excess === 0 || Math.abs(excess) > maxUnmatched) return [];
    const [long, short, content] = excess > 0 ? [file, path, text] : [path, file, translation];
    const unmatched = findUnmatchedParagraph([own, translated], paragraphs);
    const line = content.slice(0, content.indexOf(unmatched)).split('\n').length;
    const fault = explain`${short} lacks this paragraph: "${splitSentences(unmatched)[0] ?? ''}".
      Add it there, or remove it here.`;
    return toProblem({ file: long, line, column: 1, pointer: '' }, { rule: 'text/pair', ...fault }, language);
  });
}

/** Returns the paragraphs of a mail or page. Omits front matter. */
export function splitParagraphs(text: string): readonly string[] {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .trim()
    .split(/\n{2,}/);
}
