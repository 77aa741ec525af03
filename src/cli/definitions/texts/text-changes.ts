import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslationScorer } from '../../../engine/compiler/lint/wording/translation-scorer.ts';
import { createTranslationPointerLookup } from '../../../engine/compiler/shared/translation.ts';
import { walkJson } from '../../../engine/core/json-pointer.ts';
import type { Json } from '../../../engine/core/json.ts';
import { findBaseCommit, listChangedFiles, runGit } from '../../git.ts';
import { readCommittedFile } from '../definition-changes.ts';
import { alignTexts, listParagraphs } from './paragraphs.ts';
import { findTextLanguage, parseJson, readTextTableFile, type ProjectText } from './read-project-texts.ts';

/** A text of a JSON file, or a paragraph of a document, with its version in a commit. */
interface TextVersions extends ProjectText {
  /** `undefined` if the commit lacks the text. */
  readonly before: string | undefined;
}

/** A text that differs from its version in a commit. */
export interface TextChange extends ProjectText {
  readonly before: string;
  /** The same text in the other languages. */
  readonly others: readonly TextVersions[];
}

/** Returns the texts that have changed since a commit. Returns none if the commit does not exist. `languages` has the base language first. */
export function readTextChanges(
  root: string,
  languages: readonly string[],
  commit = findBaseCommit(root),
): readonly TextChange[] {
  const files = listChangedFiles(root, commit, ['schemas', 'plugins', 'src/server']) ?? [];
  return files
    .filter((file) => /(?<!\/schema)\.(?:json|md|txt)$/.test(file))
    .flatMap((file) => {
      const versions = new Set([file, ...languages.map((language) => getPath(file, language, languages))]);
      const texts = new Map([...versions].flatMap((path) => [...readTextVersions(root, path, commit, languages)]));
      return [...texts].flatMap(([key, text]) => {
        const { before, language } = text;
        if (text.file !== file || before === undefined || before === text.text) return [];
        const others = languages.flatMap((other) =>
          other === language ? [] : (texts.get(key.replace(language, other)) ?? []),
        );
        return [{ ...text, before, others }];
      });
    });
}

/** Whether lines of code that pass a value of this name have changed since the base commit. */
export function hasPropertyChanged(root: string, name: string): boolean {
  const paths = ['src', 'plugins'].flatMap((folder) => [`${folder}/*.ts`, `${folder}/*.tsx`]);
  const diff = runGit(root, { command: 'diff', options: ['-U0'], values: [findBaseCommit(root)], paths }) ?? '';
  return new RegExp(String.raw`^[-+](?:.*[{,])?\s*${name}\s*(?:[:,}]|$)`, 'm').test(diff);
}

/** Returns the path of a file in a language, which is the file itself if it contains all languages. */
function getPath(file: string, language: string, languages: readonly string[]): string {
  const any = languages.join('|');
  if (!file.startsWith('schemas/')) return file.replace(new RegExp(`(?<=[./])(?:${any})(?=[./])`), language);
  const ending = language === languages[0] ? '.json' : `.${language}.json`;
  return file.replace(new RegExp(String.raw`(?:\.(?:${any}))?\.json$`), ending);
}

/** Returns the texts of a file by their language and their place in all languages. Returns none if the file does not exist. */
function readTextVersions(root: string, file: string, commit: string, languages: readonly string[]) {
  if (!existsSync(join(root, file))) return new Map<string, TextVersions>();
  const language = findTextLanguage({ file, pointer: '' }, languages);
  const now = readFileSync(join(root, file), 'utf8');
  const committed = readCommittedFile(root, file, commit) ?? '';
  if (!file.endsWith('.json')) return indexParagraphs({ file, language }, committed, now);
  const before = indexTextsByAddress(parseJson(committed));
  const locate = createTranslationPointerLookup(parseJson(now));
  return new Map(
    readTextTableFile(root, file, languages, language).map((text): [string, TextVersions] => {
      const address = locate(text.pointer);
      const place = `${address}/`.replace(`/${text.language}/`, '/');
      return [`${text.language} ${place}`, Object.assign(text, { before: before.get(address) })];
    }),
  );
}

/** Paragraphs of two languages have the same place only if their documents have the same number of paragraphs. */
function indexParagraphs(place: Pick<ProjectText, 'file' | 'language'>, committed: string, now: string) {
  const [old, current] = [listParagraphs(committed), listParagraphs(now)];
  const list = (paragraphs: typeof old) => paragraphs.map(({ text }) => text);
  const counterparts = alignTexts(list(current), list(old), createTranslationScorer([]));
  return new Map(
    current.map((paragraph, index): [string, TextVersions] => {
      const before = old[counterparts.get(index) ?? -1]?.text;
      const text: TextVersions = { ...place, ...paragraph, column: 1, pointer: '', readers: 'everybody', before };
      return [`${place.language} ${index}/${current.length}`, text];
    }),
  );
}

/** Returns the texts of a JSON file by their pointers in its translations. */
function indexTextsByAddress(file: Json): ReadonlyMap<string, string> {
  const locate = createTranslationPointerLookup(file);
  const texts = [...walkJson(file)].filter((part): part is [string, string] => typeof part[1] === 'string');
  return new Map(texts.map(([pointer, text]) => [locate(pointer), text]));
}
