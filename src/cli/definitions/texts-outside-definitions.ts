import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  formatSpellingAdvice,
  explainUntranslated,
  createUntranslatedCheck,
} from '../../engine/compiler/lint/rules/texts/spelling.ts';
import {
  createWordingValidator,
  type TextAudience,
  type WordingRules,
} from '../../engine/compiler/lint/wording/wording-faults.ts';
import { findUnitMismatches, findUnknownDurations } from '../../engine/compiler/lint/rules/texts/durations.ts';
import type { LintOptions } from '../../engine/compiler/lint/lint-options.ts';
import type { DefinitionProblem } from '../../engine/compiler/definitions.ts';
import {
  selectLocalizedText,
  suggestSimilarName,
  type LocalizedText,
} from '../../engine/compiler/sources/localized-text.ts';
import { createTermComparison, explainDifference } from '../../engine/compiler/lint/wording/term-differences.ts';
import { createMisspellingFinder } from '../../engine/compiler/lint/wording/words.ts';
import { readSourceFile } from '../../engine/compiler/sources/read-source.ts';
import { locatePointer } from '../../engine/compiler/sources/source-file.ts';
import { findMisleadingCharacter } from '../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../engine/compiler/sources/problem-collector.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { explain, localize } from './localized-output.ts';
import { isObject } from '../../engine/core/json.ts';

/** A text in a mail, an information page, a plugin, the server or the studio. */
export interface TextOutsideDefinitions {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly language: string;
  readonly text: string;
  readonly readers: TextAudience;
}

export const wordingGlossaryPath = 'src/brand/glossary.json';

const textTablePattern =
  /^(plugins\/[\w-]+\/texts\.json|src\/(server\/.*\/(texts|mails\/[\w-]+|categories|contact-subjects|scopes|statement)\.json|studio\/texts\.json|.*\/sentences\.json))$/;
/** Plain text and Markdown files. Their path contains the language. */
const documentPattern = /^src\/server\/(?:.*\/mails\/[\w-]+\.(\w+)\.txt|features\/content\/(\w+)\/\w+\/[\w-]+\.md)$/;
const staffTextPattern = /^src\/(studio|engine)\/|\/sentences\.json$/;

/**
 * Finds texts outside the definitions that break the wording rules. `wording` has the rules by language, the base
 * language first. The findings are in `language`.
 */
export async function findWordingProblems(
  root: string,
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
  spans?: LintOptions['spans'],
): Promise<readonly DefinitionProblem[]> {
  const validators = new Map(Object.entries(wording).map(([name, own]) => [name, createWordingValidator(own)]));
  const texts = await listTextsOutsideDefinitions(root, [...validators.keys()]);
  return [
    ...texts.flatMap((text) =>
      (validators.get(text.language)?.(text) ?? []).map((fault) =>
        toProblem({ ...text, column: text.column + (text.pointer === '' ? fault.at : 0) }, fault, language),
      ),
    ),
    ...texts.flatMap((text) => {
      const units = text.readers === 'everybody' ? wording[text.language]?.spans : undefined;
      const faults = units
        ? [...findUnitMismatches(text.text, units), ...(spans ? findUnknownDurations(text.text, units, spans) : [])]
        : [];
      return faults.map((fault) => toProblem(text, { rule: 'text/limit', ...fault }, language));
    }),
    ...findUntranslatedTexts(texts, wording, language),
    ...findSlips(texts, wording, { language, definitions: (await readJsonTextFiles(root, ['schemas'])).join('\n') }),
  ];
}

/** Finds misspelled words and misleading characters in texts for users. */
function findSlips(
  texts: readonly TextOutsideDefinitions[],
  wording: Readonly<Record<string, WordingRules>>,
  { language, definitions }: { readonly language: string; readonly definitions: string },
): readonly DefinitionProblem[] {
  const isKnown = (word: string) => new RegExp(String.raw`(?<![\p{L}_])${word}(?![\p{L}_])`, 'iu').test(definitions);
  return Object.entries(wording).flatMap(([name, { quoted }]) => {
    const own = texts.filter((text) => text.language === name && text.readers === 'everybody');
    const findMisspellings = createMisspellingFinder(
      own.map(({ text }) => text),
      quoted,
    );
    return own.flatMap((text) => {
      const hidden = text.pointer === '' ? findMisleadingCharacter(text.text, false) : null; // skips JSON files, because the parser checks their characters
      if (hidden) return [toProblem(text, { rule: 'text/typed', ...hidden }, language)];
      const misspelled = findMisspellings(text.text).filter(({ word }) => !isKnown(word));
      return misspelled.map(({ at, word, instead }) => {
        const message = localize`This says "${text.text.slice(at, at + word.length)}".`;
        const place = { ...text, column: text.column + (text.pointer === '' ? at : 0) };
        return toProblem(place, { rule: 'text/spelling', message, hint: formatSpellingAdvice(instead) }, language);
      });
    });
  });
}

function findUntranslatedTexts(
  texts: readonly TextOutsideDefinitions[],
  wording: Readonly<Record<string, WordingRules>>,
  language: string,
): readonly DefinitionProblem[] {
  const [base = '', ...others] = Object.keys(wording);
  const locate = ({ file, pointer }: TextOutsideDefinitions, own: string) =>
    pointer === '' ? file.replace(/(?<=[./])\w\w(?=[./])/, '') : `${file} ${`${pointer}/`.replace(`/${own}/`, '/')}`;
  const isTitle = ({ line, text }: TextOutsideDefinitions) => line === 1 || text.startsWith('titulo:');
  const compared = texts.filter((text) => text.pointer !== '' || isTitle(text));
  const inBase = compared.filter((text) => text.language === base);
  const known = new Map(inBase.map((text) => [locate(text, base), text.text]));
  return others.flatMap((other) => {
    const isUntranslated = createUntranslatedCheck(wording[other], wording[base]);
    const compareTerms = createTermComparison(wording[other]?.terms);
    return compared
      .filter((text) => text.language === other)
      .flatMap((text) => {
        const pair = { text: removeKey(known.get(locate(text, other))), translated: removeKey(text.text) };
        if (isUntranslated(pair))
          return toProblem(
            text,
            { rule: 'text/same', ...explainUntranslated(pair.text, wordingGlossaryPath) },
            language,
          );
        return compareTerms(pair.text, pair.translated).map((difference) =>
          toProblem(text, { rule: 'text/pair', ...explainDifference(base, ...difference) }, language),
        );
      });
  });
}

function removeKey(line = ''): string {
  return line.replace(/^titulo: /, '');
}

async function listFiles(root: string): Promise<readonly string[]> {
  const folders = ['src', 'plugins'].map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`).sort(),
  );
  return (await Promise.all(folders)).flat();
}

export async function readFilesOutsideDefinitions(root: string): Promise<readonly string[]> {
  const files = (await listFiles(root)).filter((file) => documentPattern.test(file) || textTablePattern.test(file));
  return Promise.all(files.map(async (file) => `${file}\n${await readFile(join(root, file), 'utf8')}`));
}

export async function listTextsOutsideDefinitions(
  root: string,
  languages: readonly string[],
): Promise<readonly TextOutsideDefinitions[]> {
  const files = await listFiles(root);
  const read = files.map(async (file) => {
    const [, ofMail, ofPage] = documentPattern.exec(file) ?? [];
    const own = ofMail ?? ofPage;
    if (own !== undefined) return languages.includes(own) ? readLines(root, file, own) : [];
    return textTablePattern.test(file) ? readTextTableFile(root, file, languages) : [];
  });
  return (await Promise.all(read)).flat();
}

/** Reads the lines of a mail or help page. Skips the front matter, except the title. */
async function readLines(root: string, file: string, language: string): Promise<readonly TextOutsideDefinitions[]> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n');
  return lines.flatMap((text, index) =>
    /^(\w+: [\w[\]{}, -]*|-{3})$/.test(text) && !text.startsWith('titulo:')
      ? []
      : [{ file, line: index + 1, column: 1, pointer: '', language, text, readers: 'everybody' as const }],
  );
}

/** Reads the texts of a JSON file. Texts below a key such as `es` are in that language. All other texts are in `language`. */
export async function readTextTableFile(
  root: string,
  file: string,
  languages: readonly string[],
  language?: string,
): Promise<readonly TextOutsideDefinitions[]> {
  const source = await readSourceFile(root, file, new ProblemCollector());
  if (!source) return [];
  const found: TextOutsideDefinitions[] = [];
  const readers = staffTextPattern.test(file) ? 'staff' : 'everybody';
  const collectTexts = (value: unknown, pointer: string, own: string | undefined): void => {
    if (typeof value === 'string' && own !== undefined)
      found.push({ file, ...locatePointer(source, pointer), pointer, language: own, text: value, readers });
    if (isObject(value) || Array.isArray(value))
      for (const [key, part] of Object.entries(value))
        collectTexts(part, `${pointer}/${escapePointer(key)}`, languages.includes(key) ? key : own);
  };
  collectTexts(source.value, '', language);
  return found;
}

function toProblem(
  { file, line, column, pointer }: Pick<DefinitionProblem, 'file' | 'line' | 'column' | 'pointer'>,
  { rule, message, hint }: { readonly rule: string; readonly message: LocalizedText; readonly hint: LocalizedText },
  language: string,
): DefinitionProblem {
  const place = { file, line, column, pointer };
  return {
    rule,
    severity: 'W',
    ...place,
    message: selectLocalizedText(message, language),
    hint: selectLocalizedText(hint, language),
  };
}

/**
 * Names of buttons in mails and help pages are in quotation marks or bold. `leadIn` excludes bold text that ends with
 * punctuation, because it introduces a list item.
 */
const quotedName = /[«“]([^»”\n{]+)[»”]/gu;
const boldName = /\*\*([^*\n]+)\*\*/gu;
const leadIn = /[.,:;?!]$|\{/u;

/**
 * Finds the quoted names of buttons in mails and help pages that do not occur in the portal's texts. `known` has the
 * contents of the files with these texts.
 */
export async function findUnknownButtonNames(
  root: string,
  wording: Readonly<Record<string, WordingRules>>,
  known: readonly string[],
  language: string,
): Promise<readonly DefinitionProblem[]> {
  const texts = await listTextsOutsideDefinitions(root, Object.keys(wording));
  const validators = new Map(Object.entries(wording).map(([name, own]) => [name, createWordingValidator(own)]));
  const labels = texts.flatMap(({ text }) =>
    [...text.matchAll(/\[([^\]]+)\]\(/g)].map(([, label = '']) => `"${label}"`),
  );
  const all = [...known, ...labels].join('\n');
  const names = new Set([...all.matchAll(/"(\p{L}[^"{\n]{1,40})"(?!\s*:)/gu)].map(([, name = '']) => name));
  return texts.flatMap((text) => {
    const isQuestion = text.file.includes('/preguntas/');
    const isDocument = isQuestion || text.file.endsWith('.txt');
    const found = isDocument ? [...text.text.matchAll(quotedName)] : [];
    const bold = isQuestion ? [...text.text.matchAll(boldName)].filter(([, name = '']) => !leadIn.test(name)) : [];
    return [...found, ...bold]
      .filter(([, name]) => !all.includes(`"${name}"`))
      .map(({ 1: name = '', index }) => {
        const corrections = (validators.get(text.language)?.({ ...text, text: name }) ?? []).map(
          (one) => one.corrected,
        );
        const corrected = corrections.find((one) => one !== undefined && names.has(one));
        const fault = explain`No button or text is called "${name}".
          ${suggestSimilarName(corrected ?? name, corrected === undefined ? names : [corrected])}Write the exact text of the button.`;
        return toProblem({ ...text, column: text.column + index }, { rule: 'text/button', ...fault }, language);
      });
  });
}

/** Reads the JSON files of folders, except schemas. */
export async function readJsonTextFiles(root: string, folders: readonly string[]): Promise<readonly string[]> {
  const files = folders.map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true }).catch(() => []))
      .filter((name) => name.endsWith('.json') && !name.endsWith('schema.json'))
      .map((name) => readFile(join(root, folder, name), 'utf8')),
  );
  return Promise.all((await Promise.all(files)).flat());
}
