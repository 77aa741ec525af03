import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pagePaths } from '../../../contract/page-paths.ts';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { pickTextEntries } from '../../../engine/compiler/files/index-plugins.ts';
import { findRenamed, suggestSimilarName } from '../../../engine/compiler/sources/localized-text.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { readSourceFile } from '../../../engine/compiler/sources/read-source.ts';
import { escapePointer, walkJson } from '../../../engine/core/json-pointer.ts';
import { listFiles, readTexts } from '../../project.ts';
import { explain, localize } from '../localized-output.ts';

const tableFolder = 'schemas/_shared/texts';
/** Folders of the code that displays the texts of the tables. */
const codeFolders = ['src/portal', 'src/desk', 'src/video-room'];
/** Matches the first argument of a translate function, up to a nested call or a value in a template. */
const translateCall = /\b(?:t|getDeskText)\(([^(){},]*)/g;
/** Matches literals. Keys in templates are not checked, because they depend on a value. */
const literal = /'([\w.-]+)'/g;
const comparedLiteral = /[=!]= '[^']*'/g;

/** Finds keys that the code passes to a translate function, but that no table in `schemas/_shared/texts` has. */
export async function findUnknownTextKeys(root: string, language: string): Promise<readonly DefinitionProblem[]> {
  const problems = new ProblemCollector(language);
  const names = (await readdir(join(root, tableFolder))).filter((name) => /^[\w-]+\.json$/.test(name)).sort();
  const files = await Promise.all(names.map((name) => readSourceFile(root, `${tableFolder}/${name}`, problems)));
  const entries = files.flatMap((file) =>
    file ? Object.keys(pickTextEntries(file)).map((key) => ({ file, key })) : [],
  );
  const known = new Set(entries.map(({ key }) => key));
  const code = await readCode(root);
  const literals = new Set(listLiterals(code));
  const isUnused = (key: string) => !literals.has(key) && !literals.has(key.slice(key.lastIndexOf('.') + 1)); // a literal may fill the end of a template
  const calls = [...code.matchAll(translateCall)].map(([, key = '']) => key.replaceAll(comparedLiteral, ''));
  for (const missing of new Set(calls.flatMap(listLiterals))) {
    if (known.has(missing)) continue;
    const related = entries.filter(({ key }) => getNamespace(key) === getNamespace(missing));
    const renamed = findRenamed(missing, related.map(({ key }) => key).filter(isUnused));
    const place = related.find(({ key }) => key === renamed) ?? related[0] ?? entries[0];
    if (place)
      problems.report(place.file)(renamed === undefined ? '' : `/${escapePointer(renamed)}`)(explain`
        The portal displays the text "${missing}", which is missing here.
        ${renamed === undefined ? localize`Restore it in every language.` : localize`Write "${missing}" instead of "${renamed}" in every language.`}`);
  }
  return problems.list;
}

const questionFolder = pagePaths.question.replace(':slug', '');
/** Matches links to questions of the help. */
const questionLink = new RegExp(`^${questionFolder}([^/?#{]+)`);

/** Finds links of screens to questions that the help does not have. The compiler knows only that the path of a question exists. */
export async function findUnknownQuestions(root: string, language: string): Promise<readonly DefinitionProblem[]> {
  const problems = new ProblemCollector(language);
  const questions = await listFiles(root, ['src/server/features/content'], (path) => path.includes('/preguntas/'));
  const names = questions.map((path) => basename(path, '.md'));
  const flows = await listFiles(root, ['flows'], (path) => path.endsWith('.json'));
  const paths = readTexts(root, flows).join('\n');
  const screens = await listFiles(root, ['schemas'], (name) => /(?:\/ui|_shared\/[\w-]+)\.json$/.test(name));
  const texts = readTexts(root, screens);
  for (const path of screens.filter((_, index) => texts[index]?.includes(`"${questionFolder}`))) {
    const file = await readSourceFile(root, path, problems);
    for (const [pointer, value] of file ? walkJson(file.value) : []) {
      const slug = pointer.endsWith('/to') ? questionLink.exec(String(value))?.[1] : undefined;
      if (!file || slug === undefined || names.includes(slug) || paths.includes(`"${String(value)}"`)) continue;
      problems.report(file)(pointer)(explain`There is no question "${slug}".
        ${suggestSimilarName(slug, names)}Name the file of a question, without ".md".`);
    }
  }
  return problems.list;
}

/** Returns the first part of a key. Returns an empty text for a key of one part. */
function getNamespace(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('.')));
}

function listLiterals(code: string): readonly string[] {
  return [...code.matchAll(literal)].map(([, text = '']) => text);
}

async function readCode(root: string): Promise<string> {
  const files = await listFiles(root, codeFolders, (path) => /(?<!\.test)\.tsx?$/.test(path));
  return readTexts(root, files).join('\n');
}
