import { basename, dirname } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { groupBy, isObject } from '../../../engine/core/json.ts';
import { findBaseCommit, listChangedFiles } from '../../git.ts';
import { listFiles, readTexts } from '../../project.ts';
import { readCommittedFile } from '../definition-changes.ts';
import { explain } from '../localized-output.ts';
import { parseJson, type ProjectText } from './read-project-texts.ts';
import { toProblem } from './texts-outside-definitions.ts';

const screenPattern = /^schemas\/[\w-]+\/ui(?:\.\w+)?\.json$/;

/** Maximum number of screens with a copied title. A title of more screens is one that the portal repeats on purpose, e.g. that of errors. */
const maxOriginals = 2;

/**
 * Finds screens that are new since the base commit, or have a new title, whose title a few other screens have, in all languages and in other flows. Omits
 * screens that a finding in `known` compares with their original. `listTexts` returns all texts of the project.
 */
export async function findCopiedTitles(
  root: string,
  known: readonly DefinitionProblem[],
  language: string,
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const commit = findBaseCommit(root);
  const copies = known.flatMap(({ rule, file, related = [] }) =>
    rule === 'ui/copy' ? [file, ...related.map((place) => place.file)] : [],
  );
  const changed = (listChangedFiles(root, commit, ['schemas']) ?? []).filter(
    (file) => screenPattern.test(file) && !copies.includes(file),
  );
  if (changed.length === 0) return [];
  const titles = (await listTexts()).filter(({ file, pointer }) => pointer === '/title' && screenPattern.test(file));
  const titlesByFolder = new Map(
    [...groupBy(titles, ({ file }) => dirname(file))].map(([folder, own]) => {
      return [folder, JSON.stringify(own.map((title) => [title.language, title.text]))];
    }),
  );
  const flows = readTexts(root, await listFiles(root, ['flows'], (path) => path.endsWith('.json')));
  const areInOneFlow = (...folders: readonly string[]) =>
    flows.some((flow) => folders.every((folder) => flow.includes(`"${folder.slice('schemas/'.length)}"`)));
  return titles.flatMap((title) => {
    const { file, text } = title;
    const folder = dirname(file);
    const before = changed.includes(file) && file.endsWith('/ui.json') ? readCommittedFile(root, file, commit) : null;
    const committed = before === null ? null : parseJson(before);
    if (before === null || (isObject(committed) && committed['title'] === text)) return [];
    const same = [...titlesByFolder].filter(([other, own]) => other !== folder && own === titlesByFolder.get(folder));
    const [[original] = ['']] = same;
    if (same.length === 0 || same.length > maxOriginals || same.some(([other]) => areInOneFlow(folder, other)))
      return [];
    const fault = explain`"${text}" is also the title of ${original}/ui.json, in another flow.
      Write what this screen is about, if the title was copied.`;
    const related = [{ file: `${original}/ui.json`, pointer: '/title' }];
    return { ...toProblem(title, { rule: 'ui/copy', severity: 'N', ...fault }, language), related };
  });
}

/** Moves findings about a copied screen to the copy, i.e. to the screen that is not in the base commit if the other one is. */
export async function moveFindingsToCopies(
  root: string,
  found: readonly DefinitionProblem[],
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const isNew = (file: string) => readCommittedFile(root, file, findBaseCommit(root)) === '';
  const quoteScreen = (file: string) => `"${basename(dirname(file))}"`;
  const move = async (problem: DefinitionProblem): Promise<DefinitionProblem> => {
    const { rule, file, message, related: [other] = [] } = problem;
    if (rule !== 'ui/copy' || !other || isNew(file) || !isNew(other.file)) return problem;
    const title = (await listTexts()).find((text) => text.file === other.file && text.pointer.startsWith('/title'));
    if (!title) return problem;
    return {
      ...problem,
      ...other,
      line: title.line,
      column: title.column,
      message: message.replace(quoteScreen(other.file), quoteScreen(file)),
      related: [{ file, pointer: other.pointer }],
    };
  };
  return Promise.all(found.map(move));
}
