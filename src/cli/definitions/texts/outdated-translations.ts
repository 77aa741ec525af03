import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { isTypo } from '../../../engine/compiler/lint/wording/misspelling-finder.ts';
import { listNormalizedWords, splitSentences } from '../../../engine/compiler/lint/wording/words.ts';
import { createTranslationPointerLookup } from '../../../engine/compiler/shared/translation.ts';
import { readSourceFile } from '../../../engine/compiler/sources/read-source.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { locatePointer } from '../../../engine/compiler/sources/source-file.ts';
import { walkJson } from '../../../engine/core/json-pointer.ts';
import type { Json } from '../../../engine/core/json.ts';
import { findCommit } from '../../git.ts';
import { listModifiedFiles, readCommittedFile } from '../definition-changes.ts';
import { explain } from '../localized-output.ts';
import { parseJson } from './read-project-texts.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** A text and its translation, with the JSON pointer or, in a document, the line of the translation. */
interface TranslatedPart {
  readonly text: string;
  readonly translated: string;
  readonly place: string | number;
}

/**
 * Finds translations that have not changed since a commit, although the words of their original have. Returns none if the commit does not exist.
 * `languages` has the base language first. The findings are in `language`.
 */
export async function findOutdatedTranslations(
  root: string,
  languages: readonly string[],
  language: string,
  revision = 'HEAD',
): Promise<readonly DefinitionProblem[]> {
  const commit = findCommit(root, revision);
  if (commit === null) return [];
  const [base = '', ...others] = languages;
  const compared = listModifiedFiles(root, commit, ['schemas', 'plugins', 'src/server'])
    .filter((file) => /\.(?:json|md|txt)$/.test(file))
    .flatMap((file) => others.map((other) => compareWithCommit({ root, commit, file, language }, [base, other])));
  return (await Promise.all(compared)).flat();
}

interface ComparedFile {
  readonly root: string;
  readonly commit: string;
  readonly file: string;
  /** Language of the findings. */
  readonly language: string;
}

async function compareWithCommit(
  { root, commit, file, language }: ComparedFile,
  languages: readonly [base: string, other: string],
): Promise<readonly DefinitionProblem[]> {
  const path = getTranslationPath(file, languages);
  const read = (name: string) => readFile(join(root, name), 'utf8').catch(() => '');
  const readBefore = (name: string) => readCommittedFile(root, name, commit) ?? '';
  const before = pairParts(readBefore(file), readBefore(path), languages);
  const known = new Set(before.map(({ text }) => normalize(text)));
  const kept = new Set(before.map(({ translated }) => translated));
  const outdated = pairParts(await read(file), await read(path), languages).filter(
    ({ text, translated }) => kept.has(translated) && !known.has(normalize(text)),
  );
  const source =
    outdated.length > 0 && path.endsWith('.json') ? await readSourceFile(root, path, new ProblemCollector()) : null;
  const isNew = (sentence: string) => !before.some(({ text }) => normalize(text).includes(normalize(sentence)));
  return outdated.map(({ text, translated, place }) => {
    const position =
      source && typeof place === 'string'
        ? { ...locatePointer(source, place), pointer: place }
        : { line: Number(place), column: 1, pointer: '' };
    const old = before.find((part) => part.place === place)?.text ?? '';
    const typo = findMisspelling(old, text);
    const count = splitSentences(translated).length;
    const lacksSentence = count === splitSentences(old).length && count !== splitSentences(text).length;
    const fault = typo
      ? explain`The original of this translation now says "${typo.word}", and said "${typo.instead}".
        Correct it if it is misspelt. Otherwise translate it again if the meaning has changed.`
      : explain`The original of this translation now says "${splitSentences(text).find(isNew) ?? text}", but the translation has not changed.
        Translate it again if the meaning has changed.`;
    const kind = lacksSentence
      ? ({ rule: 'text/incomplete', severity: 'W' } as const)
      : ({ rule: 'text/outdated', severity: 'N' } as const);
    const problem = toProblem({ file: path, ...position }, { ...kind, ...fault }, language);
    return { ...problem, ...(path !== file && { related: [{ file, pointer: '' }] }) };
  });
}

/** Returns the only changed word of a text with its previous spelling, if they differ by a typing mistake. */
function findMisspelling(before: string, text: string): { readonly word: string; readonly instead: string } | null {
  const [old, current] = [listNormalizedWords(before), listNormalizedWords(text)];
  const changed = current.flatMap((word, index) => (word === old[index] ? [] : [{ word, instead: old[index] ?? '' }]));
  const [only] = changed;
  return only && changed.length === 1 && old.length === current.length && isTypo(only.word, only.instead) ? only : null;
}

/** Returns the path of the translation of a file, which is the file itself if it contains all languages. */
function getTranslationPath(file: string, [base, other]: readonly [base: string, other: string]): string {
  return file.startsWith('schemas/')
    ? file.replace(/\.json$/, `.${other}.json`)
    : file.replace(new RegExp(`(?<=[./])${base}(?=[./])`), other);
}

function normalize(text: string): string {
  return listNormalizedWords(text).join(' ');
}

/** Pairs the texts of JSON files, or the paragraphs of documents, with their translations. */
function pairParts(text: string, translation: string, languages: readonly [base: string, other: string]) {
  return text.startsWith('{') ? pairJsonTexts(text, translation, languages) : pairParagraphs(text, translation);
}

function pairJsonTexts(text: string, translation: string, [base, other]: readonly [base: string, other: string]) {
  const originals = indexTextsByAddress(text);
  return listStrings(parseJson(translation)).flatMap(([place, own]) => {
    const original = originals.get(place.replace(`/${other}/`, `/${base}/`));
    return original === undefined ? [] : [{ text: original, translated: own, place }];
  });
}

/** Returns the texts of a JSON file by their pointers in its translations. */
export function indexTextsByAddress(text: string): ReadonlyMap<string, string> {
  const file = parseJson(text);
  const locate = createTranslationPointerLookup(file);
  return new Map(listStrings(file).map(([pointer, own]) => [locate(pointer), own]));
}

export function listStrings(value: Json): readonly (readonly [pointer: string, text: string])[] {
  return [...walkJson(value)].flatMap(([pointer, part]) =>
    typeof part === 'string' ? [[pointer, part] as const] : [],
  );
}

/** Pairs the paragraphs of documents in order. Documents with different numbers of paragraphs are a pair as a whole. */
function pairParagraphs(text: string, translation: string): readonly TranslatedPart[] {
  const [originals, own] = [splitParagraphs(text), splitParagraphs(translation)];
  if (originals.length !== own.length) return [{ text, translated: translation, place: 1 }];
  let line = 1;
  return own.map((translated, index) => {
    const place = line;
    line += translated.split('\n').length + 1;
    return { text: originals[index] ?? '', translated, place };
  });
}

function splitParagraphs(text: string): readonly string[] {
  return text.trimEnd().split('\n\n');
}
