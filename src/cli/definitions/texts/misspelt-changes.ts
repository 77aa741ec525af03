import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { isMistyped } from '../../../engine/compiler/lint/wording/misspelling-finder.ts';
import { parseSourceFile } from '../../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { locatePointer } from '../../../engine/compiler/sources/source-file.ts';
import { listModifiedFiles, readCommittedFile } from '../definition-changes.ts';
import { explain } from '../localized-output.ts';
import { listStrings } from './outdated-translations.ts';
import { findTextLanguage, parseJson, type ProjectText } from './read-project-texts.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** A word of a text that replaces a similar one of the last commit. `place` is the JSON pointer or, in a document, the line of the text. */
interface ReplacedWord {
  readonly file: string;
  readonly place: string | number;
  readonly word: string;
  readonly before: string;
}

/** Finds words that no other text contains and that replace a similar word of the last commit. `languages` has the base language first. `listTexts` returns all texts of the project. */
export async function findMisspeltChanges(
  root: string,
  languages: readonly string[],
  language: string,
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const changed = listModifiedFiles(root, 'HEAD', ['schemas', 'plugins', 'src/server']);
  const replaced = changed
    .filter((file) => /\.(?:json|md|txt)$/.test(file) && !file.endsWith('/schema.json'))
    .flatMap((file) =>
      listReplacedWords(file, readCommittedFile(root, file) ?? '', readFileSync(join(root, file), 'utf8')),
    );
  if (replaced.length === 0) return [];
  const words = (await listTexts()).flatMap((text) =>
    listWords(text.text).map((word) => `${text.language} ${word.toLowerCase()}`),
  );
  return replaced.flatMap(({ file, place, word, before }) => {
    const pointer = typeof place === 'string' ? place : '';
    const key = `${findTextLanguage({ file, pointer }, languages)} ${word.toLowerCase()}`;
    if (words.filter((own) => own === key).length > 1) return [];
    const source = pointer && parseSourceFile(file, readFileSync(join(root, file)), new ProblemCollector());
    const position = source ? locatePointer(source, pointer) : { line: Number(place), column: 1 };
    const fault = explain`This says "${word}", and said "${before}" in the last commit.
      Correct it if it is misspelt.`;
    return toProblem({ file, pointer, ...position }, { rule: 'text/spelling', ...fault }, language);
  });
}

function listReplacedWords(file: string, before: string, now: string): readonly ReplacedWord[] {
  const texts = new Map(listTextsOfFile(file, before));
  return listTextsOfFile(file, now).flatMap(([place, text]) => {
    const [old, current] = [listWords(texts.get(place) ?? ''), listWords(text)];
    const different = current.flatMap((word, index) =>
      word === old[index] ? [] : [{ word, before: old[index] ?? '' }],
    );
    const [only] = different;
    const isOne = only && different.length === 1 && old.length === current.length;
    return isOne && isMistyped(only.word, only.before) ? [{ file, place, ...only }] : [];
  });
}

function listTextsOfFile(file: string, content: string): readonly (readonly [place: string | number, text: string])[] {
  if (!file.endsWith('.json')) return content.split('\n').map((line, index) => [index + 1, line]);
  return listStrings(parseJson(content));
}

/** Omits placeholders, addresses and paths, which other checks read. */
function listWords(text: string): readonly string[] {
  return text.replaceAll(/\{+[^{}]*\}+|\S*[/@]\S*/g, ' ').match(/\p{L}+/gu) ?? [];
}

/** Omits findings about a text, or about its translation, that another finding explains by a misspelt word. */
export function omitConsequencesOfMisspelling(
  problems: readonly DefinitionProblem[],
  misspelt: readonly DefinitionProblem[],
): readonly DefinitionProblem[] {
  const isIn = (place: Pick<DefinitionProblem, 'file' | 'pointer'> & { readonly line?: number }) =>
    misspelt.some(
      ({ file, pointer, line }) =>
        place.file === file && place.pointer === pointer && (pointer !== '' || (place.line ?? line) === line),
    );
  return problems.filter(
    ({ rule = '', related = [], ...place }) => !rule.startsWith('text/') || ![place, ...related].some(isIn),
  );
}
