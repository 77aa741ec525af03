import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { pickTextEntries } from '../../engine/compiler/files/index-plugins.ts';
import { findRenamed } from '../../engine/compiler/sources/localized-text.ts';
import { ProblemCollector } from '../../engine/compiler/sources/problem-collector.ts';
import { readSourceFile } from '../../engine/compiler/sources/read-source.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { explain, localize } from './localized-output.ts';

const tableFolder = 'schemas/_shared/texts';
/** Folders of the code that displays the texts of the tables. */
const codeFolders = ['src/portal', 'src/desk', 'src/video-room'];
/** Matches the first argument of a translate function, up to a nested call or a value in a template. */
const translateCall = /\b(?:t|getDeskText)\(([^(){},]*)/g;
/** Matches literal keys. Skips values in comparisons. Keys in templates are not checked, because they depend on a value. */
const literalKey = /(?<![=!]= )'([\w.-]+)'/g;

/** Finds keys that the code passes to a translate function, but that no table in `schemas/_shared/texts` has. */
export async function findUnknownTextKeys(root: string, language: string): Promise<readonly DefinitionProblem[]> {
  const problems = new ProblemCollector(language);
  const names = (await readdir(join(root, tableFolder))).filter((name) => /^[\w-]+\.json$/.test(name)).sort();
  const files = await Promise.all(names.map((name) => readSourceFile(root, `${tableFolder}/${name}`, problems)));
  const entries = files.flatMap((file) =>
    file ? Object.keys(pickTextEntries(file)).map((key) => ({ file, key })) : [],
  );
  const known = new Set(entries.map(({ key }) => key));
  const used = await listUsedKeys(root);
  for (const missing of [...used].filter((key) => !known.has(key))) {
    const related = entries.filter(({ key }) => getNamespace(key) === getNamespace(missing));
    const unused = related.map(({ key }) => key).filter((key) => !used.has(key));
    const renamed = findRenamed(missing, unused);
    const place = related.find(({ key }) => key === renamed) ?? related[0] ?? entries[0];
    if (place)
      problems.report(place.file)(renamed === undefined ? '' : `/${escapePointer(renamed)}`)(explain`
        The portal displays the text "${missing}", which is missing here.
        ${renamed === undefined ? localize`Restore it in every language.` : localize`Write "${missing}" instead of "${renamed}" in every language.`}`);
  }
  return problems.list;
}

/** Returns the first part of a key. Returns an empty text for a key of one part. */
function getNamespace(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf('.')));
}

async function listUsedKeys(root: string): Promise<ReadonlySet<string>> {
  const code = codeFolders.map(async (folder) => {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    const sources = names.filter((name) => /(?<!\.test)\.tsx?$/.test(name)).sort();
    return Promise.all(sources.map((name) => readFile(join(root, folder, name), 'utf8')));
  });
  const calls = (await Promise.all(code)).flat().flatMap((text) => [...text.matchAll(translateCall)]);
  return new Set(calls.flatMap(([, key = '']) => [...key.matchAll(literalKey)].map(([, name = '']) => name)));
}
