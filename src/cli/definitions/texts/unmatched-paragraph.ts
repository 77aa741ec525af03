import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { createTranslationScorer } from '../../../engine/compiler/lint/wording/translation-scorer.ts';
import { splitSentences } from '../../../engine/compiler/lint/wording/words.ts';
import { listFiles } from '../../project.ts';
import { explain } from '../localized-output.ts';
import { listMailPlaceholders } from './mail-placeholders.ts';
import { alignTexts, listParagraphs } from './paragraphs.ts';
import { toProblem } from './texts-outside-definitions.ts';

interface Document {
  readonly file: string;
  readonly text: string;
}

/** A document in the base language and its translation. */
export type DocumentPair = readonly [base: Document, translation: Document];

/**
 * Finds the first paragraph that has no counterpart in the shorter of two versions, according to the words and placeholders of all paragraphs. `pairs`
 * has all documents, from which it learns which words correspond.
 */
export function findUnmatchedParagraph(
  pair: DocumentPair,
  pairs: readonly DocumentPair[],
  language: string,
): readonly DefinitionProblem[] {
  const list = ({ text }: Document) => listParagraphs(text).map((paragraph) => paragraph.text);
  const [base, translation] = [list(pair[0]), list(pair[1])];
  if (base.length === translation.length) return [];
  const fit = createTranslationScorer(
    pairs.flatMap(([original, other]) => {
      const [texts, translations] = [list(original), list(other)];
      if (texts.length !== translations.length) return [];
      return texts.map((text, index) => ({ text, translated: translations[index] ?? '' }));
    }),
  );
  const join = (paragraph: string) => listMailPlaceholders(paragraph).join(' ');
  const counterparts = alignTexts(
    base,
    translation,
    (text, translated) => fit(text, translated) + (join(text) === join(translated) ? 1 : 0),
  );
  const isBaseLonger = base.length > translation.length;
  const matched = [...(isBaseLonger ? counterparts.keys() : counterparts.values())];
  const [{ file: short }, long] = isBaseLonger ? [pair[1], pair[0]] : pair;
  const unmatched = listParagraphs(long.text).find((_, index) => !matched.includes(index));
  const fault = explain`${short} lacks this paragraph: "${splitSentences(unmatched?.text ?? '')[0] ?? ''}".
    Add it there, or remove it here.`;
  const place = { file: long.file, line: unmatched?.line ?? 1, column: 1, pointer: '' };
  return [toProblem(place, { rule: 'text/pair', ...fault }, language)];
}

/** Finds the help and information pages whose translation has more or fewer paragraphs. `languages` has the base language first. */
export async function findUnmatchedPageParagraphs(
  root: string,
  [base = '', ...others]: readonly string[],
  language: string,
): Promise<readonly DefinitionProblem[]> {
  const pages = await listFiles(root, ['src/server/features/content'], (path) => path.endsWith('.md'));
  const read = (file: string): Document => ({ file, text: readFileSync(join(root, file), 'utf8') });
  const pairs = pages.flatMap((file) =>
    others
      .map((other) => file.replace(`/${base}/`, `/${other}/`))
      .filter((path) => path !== file && pages.includes(path))
      .map((path): DocumentPair => [read(file), read(path)]),
  );
  return pairs.flatMap((pair) => findUnmatchedParagraph(pair, pairs, language));
}
