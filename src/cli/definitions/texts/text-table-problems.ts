import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { DefinitionProblem, FileTextOverrides } from '../../../engine/compiler/definitions.ts';
import {
  findNearestName,
  suggestSimilarName,
  type ProblemExplanation,
} from '../../../engine/compiler/sources/localized-text.ts';
import { locatePointer, type SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { parseSourceFile } from '../../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { listFiles } from '../../project.ts';
import { explain, localize } from '../localized-output.ts';
import { findMailLineFaults, createMailTextReporter } from './mail-text-problems.ts';
import {
  explainUnknownPlaceholder,
  listUnknownPlaceholders,
  mailByTextTable,
  readDeclaredPlaceholders,
} from './mail-placeholders.ts';

const textTablePattern =
  /^(plugins\/[\w-]+\/texts|src\/server\/.*\/(texts|mails\/[\w-]+|categories|contact-subjects))\.json$/;

/** Minimum number of uses of a key in a file at which a similar rare key counts as misspelled. */
const minKeyUses = 8;

/**
 * Finds mistakes in JSON tables with texts by language: invalid JSON, missing languages, keys that differ between the languages, and mail
 * placeholders to which the code assigns no value. A problem that names no rule is an error. `changed` has the texts to check instead of those on
 * disk.
 */
export async function findTextTableProblems(
  root: string,
  languages: readonly string[],
  language: string,
  changed: FileTextOverrides = new Map(),
): Promise<readonly DefinitionProblem[]> {
  const files = await listFiles(root, ['plugins', 'src'], (path) => textTablePattern.test(path));
  const declaredOf = await readDeclaredPlaceholders(root);
  const problems = new ProblemCollector(language);
  const findings: DefinitionProblem[] = [];
  for (const path of files) {
    const own = changed.get(path);
    const bytes = own == null ? await readFile(join(root, path)) : new TextEncoder().encode(own);
    const file = parseSourceFile(path, bytes, problems);
    if (!file) continue;
    const mail = mailByTextTable[basename(path, '.json')];
    const declare = (pointer: string) => (mail === undefined ? undefined : declaredOf(mail, pointer.split('/')[1]));
    const texts = [...checkTable(file, languages, problems.report(file), declare)];
    for (const text of mail === undefined ? [] : texts)
      findings.push(...findMailTextFaults(file, { ...text, declared: declare(text.pointer) ?? [] }, language));
  }
  return [...problems.list, ...findings];
}

interface TableText {
  readonly pointer: string;
  readonly text: string;
}

type Report = (pointer: string) => (problem: ProblemExplanation) => void;

/** Checks the languages of a table. Returns its texts. `declare` returns the placeholders of a mail's text at a pointer. */
function* checkTable(
  file: SourceFile,
  languages: readonly string[],
  report: Report,
  declare: (pointer: string) => readonly string[] | undefined,
): Iterable<TableText> {
  const keyUses = new Map<string, number>();
  for (const [, key = ''] of file.text.matchAll(/"([^"\\]+)"\s*:/g)) keyUses.set(key, (keyUses.get(key) ?? 0) + 1);
  yield* walk(file.value, '');

  function* walk(value: Json, pointer: string): Iterable<TableText> {
    if (!isObject(value)) return;
    const keys = Object.keys(value);
    if (keys.some((key) => languages.includes(key))) {
      checkLanguages(value, pointer);
      for (const language of languages) yield* listTexts(value[language], `${pointer}/${language}`);
    } else for (const key of keys) yield* walk(value[key] ?? null, `${pointer}/${escapePointer(key)}`);
  }

  function checkLanguages(value: JsonObject, pointer: string): void {
    const missing = languages.filter((language) => !Object.hasOwn(value, language));
    for (const key of Object.keys(value).filter((own) => !languages.includes(own) && own !== '$comment'))
      return report(`${pointer}/${escapePointer(key)}`)(explain`There is no language "${key}".
        ${missing.length === 1 ? localize`Write "${missing[0] ?? ''}".` : localize`Known: ${languages.join(', ')}.`}`);
    for (const language of missing)
      report(pointer)(explain`The texts in "${language}" are missing.
        Translate those in "${languages.find((own) => Object.hasOwn(value, own)) ?? ''}".`);
    if (missing.length > 0) return;
    const [base = '', ...others] = languages;
    for (const other of others) checkKeys(pointer, [base, value[base]], [other, value[other]]);
  }

  function checkKeys(pointer: string, ...versions: readonly [language: string, texts: Json | undefined][]): void {
    const paths = versions.map(([language, texts]) => {
      const start = `${pointer}/${language}`;
      return new Set([...listTexts(texts, start)].map((text) => text.pointer.slice(start.length)));
    });
    for (const [index, [language]] of versions.entries()) {
      const [here = new Set<string>(), there = new Set<string>()] = [paths[index], paths[1 - index]];
      const added = [...here].filter((path) => !there.has(path));
      const lost = [...there].filter((path) => !here.has(path));
      const [other] = versions[1 - index] ?? [''];
      for (const path of added) {
        const [key, instead] = [getKey(path), findNearestName(getKey(path), lost.map(getKey))];
        if (instead !== undefined && (keyUses.get(key) ?? 0) < (keyUses.get(instead) ?? 0))
          return report(`${pointer}/${language}${path}`)(explain`Unknown key "${key}".
            ${suggestSimilarName(key, [instead])}Correct the key.`);
        if (instead !== undefined && index > 0 && keyUses.get(key) === keyUses.get(instead))
          return report(
            `${pointer}/${language}${path}`,
          )(explain`The key of this text is "${key}" here, and "${instead}" in "${other}".
            Write the right one in both.`);
      }
      const [path] = lost;
      if (path !== undefined && !added.some((own) => findNearestName(getKey(own), [getKey(path)])))
        return report(`${pointer}/${language}`)(explain`"${getKey(path)}" is missing here: "${other}" has it.
          Translate it, or remove it there.`);
    }
    for (const path of paths[0] ?? [])
      for (const [index, [language, texts]] of versions.entries()) {
        const [other = '', others] = versions[1 - index] ?? [];
        const [here, there] = [texts, others].map((own) => listBraces(findByPointer(own, path)));
        const declared = declare(pointer);
        const lost = there?.find((own) => !here?.includes(own) && (declared?.includes(own) ?? true));
        const isMisspelled = here?.some((own) => declared?.includes(own) === false); // another finding reports an unknown placeholder
        if (lost !== undefined && !isMisspelled)
          return report(`${pointer}/${language}${path}`)(explain`"${lost}" is missing here: "${other}" has it.
            Translate it, or remove it there.`);
      }
    const frequent = [...keyUses].flatMap(([key, uses]) => (uses >= minKeyUses ? [key] : []));
    for (const path of paths[0] ?? []) {
      const [key, instead] = [getKey(path), findNearestName(getKey(path), frequent)];
      if (instead !== undefined && instead !== key && (keyUses.get(key) ?? 0) <= languages.length)
        report(`${pointer}/${versions[0]?.[0] ?? ''}${path}`)(explain`Unknown key "${key}".
          ${suggestSimilarName(key, [instead])}Correct the key.`);
    }
  }
}

function listBraces(text: Json | undefined): readonly string[] {
  return typeof text === 'string' ? (text.match(/\{+\w+\}+/g) ?? []) : [];
}

function getKey(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function* listTexts(value: Json | undefined, pointer: string): Iterable<TableText> {
  if (typeof value === 'string') yield { pointer, text: value };
  else if (isObject(value))
    for (const [key, part] of Object.entries(value)) yield* listTexts(part, `${pointer}/${escapePointer(key)}`);
}

function findMailTextFaults(
  file: SourceFile,
  { pointer, text, declared }: TableText & { readonly declared: readonly string[] },
  language: string,
): readonly DefinitionProblem[] {
  const report = createMailTextReporter({ file: file.path, text: '' }, language);
  const faults = [...findMailLineFaults(text, 0, report, { isAlone: false })];
  for (const placeholder of listUnknownPlaceholders(text, declared))
    faults.push(report(0, 'text/placeholder', explainUnknownPlaceholder(placeholder, declared)));
  return faults.map((fault) => ({ ...fault, ...locatePointer(file, pointer), pointer }));
}
