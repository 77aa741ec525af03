import { foldAccentsAndCase } from '../../../contract/fold-text.ts';
import {
  suggestSimilarName,
  suggestSimilarOrKnownNames,
  type LocalizedText,
} from '../../../engine/compiler/sources/localized-text.ts';
import type { SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject } from '../../../engine/core/json.ts';
import { listQuestionNames, type ParsedContentFile } from './check-content-files.ts';
import { localize, type ContentFile } from './content-file.ts';

export const searchVocabularyFile = 'src/brand/search.json';

type ReportPointer = (pointer: string, message: LocalizedText, hint: LocalizedText) => void;

const vocabularyKeys = ['same', 'asked', 'ignored', 'suggested'] as const;

export function checkSearchVocabulary(
  { value }: SourceFile,
  {
    files,
    read,
    languages,
  }: {
    readonly files: readonly ContentFile[];
    readonly read: readonly ParsedContentFile[];
    readonly languages: readonly string[];
  },
  report: ReportPointer,
): void {
  for (const [language, words] of Object.entries(asObject(value))) {
    const at = `/${escapePointer(language)}`;
    if (language === '$comment') continue;
    if (!languages.includes(language))
      report(at, localize`There is no language "${language}".`, localize`Known: ${languages.join(', ')}.`);
    else {
      const questions = read.filter((file) => file.kind === 'pregunta' && file.language === language);
      checkWords(words, at, { files, questions }, report);
    }
  }
}

interface Questions {
  /** All files, including those that are invalid or not translated, which another problem reports. */
  readonly files: readonly ContentFile[];
  readonly questions: readonly ParsedContentFile[];
}

function checkWords(words: unknown, at: string, { files, questions }: Questions, report: ReportPointer): void {
  if (!isObject(words))
    return report(at, localize`This is not an object of search words.`, localize`Known: ${vocabularyKeys.join(', ')}.`);
  for (const key of Object.keys(words)) {
    if (!vocabularyKeys.some((known) => known === key))
      report(
        `${at}/${escapePointer(key)}`,
        localize`Unknown key "${key}".`,
        suggestSimilarOrKnownNames(key, vocabularyKeys),
      );
  }
  const names = listQuestionNames(files);
  const checkSlug = (slug: string, pointer: string): void => {
    if (!names.includes(slug))
      report(
        pointer,
        localize`There is no question "${slug}".`,
        localize`${suggestSimilarName(slug, names)}Name the file of a question, without ".md".`,
      );
  };
  const askedWords = asObject(words['asked']);
  for (const slug of Object.keys(askedWords)) checkSlug(slug, `${at}/asked/${escapePointer(slug)}`);
  for (const [index, slug] of listTexts(words['suggested']).entries()) checkSlug(slug, `${at}/suggested/${index}`);
  checkGroups(words['same'], `${at}/same`, collectQuestionText(questions, askedWords), report);
  const synonyms = new Set(
    (Array.isArray(words['same']) ? words['same'] : []).flatMap(listTexts).map(foldAccentsAndCase),
  );
  for (const [index, word] of listTexts(words['ignored']).entries())
    if (synonyms.has(foldAccentsAndCase(word)))
      report(
        `${at}/ignored/${index}`,
        localize`"${word}" is also in a group of "same": the search ignores it there too.`,
        localize`Remove it from one of the two lists.`,
      );
}

function collectQuestionText(questions: readonly ParsedContentFile[], asked: object): string {
  const texts = questions.map(({ frontMatter }) => `${String(frontMatter.values['titulo'])} ${frontMatter.body}`);
  return ` ${foldAccentsAndCase([...texts, ...Object.values(asked).flatMap(listTexts)].join(' ')).replace(/[^a-z0-9]+/g, ' ')} `;
}

function checkGroups(groups: unknown, at: string, questionText: string, report: ReportPointer): void {
  const seen = new Set<string>();
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    const words = listTexts(group).map(foldAccentsAndCase);
    for (const [place, word] of words.entries()) {
      const pointer = `${at}/${index}/${place}`;
      if (/\s/.test(word))
        report(
          pointer,
          localize`"${word}" is more than a word.`,
          localize`Write it in "asked", at the question that it belongs to.`,
        );
      if (seen.has(word)) report(pointer, localize`"${word}" appears twice.`, localize`Remove one of them.`);
      seen.add(word);
    }
    if (!words.some((word) => questionText.includes(` ${word}`)))
      report(
        `${at}/${index}`,
        localize`No question contains any of these words.`,
        localize`Add a word that a question contains, or remove the group.`,
      );
  }
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
