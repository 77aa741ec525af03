import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const command = createCliAction({}, async ({ terminal }) => {
  const decisions = selectDecisionRecords(await readMarkdownDocuments(projectRoot));
  for (const { path, text } of decisions) terminal.out(`${path}\n    ${/^# (.*)$/m.exec(text)?.[1] ?? ''}\n`);
  terminal.out(`${decisions.length} decisions.\n`);
});

interface Document {
  readonly path: string;
  readonly text: string;
}

/** Folders without documents of the project. Other checks cover the portal's content in `content`. */
const skippedFolders = new Set([
  'node_modules',
  '.git',
  'dist',
  'data',
  '.cache',
  'test-results',
  'content',
  'templates',
]);

export async function readMarkdownDocuments(root: string): Promise<readonly Document[]> {
  const paths = (await listMarkdown(root, '')).sort();
  return await Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

export function selectDecisionRecords(documents: readonly Document[]): readonly Document[] {
  return documents.filter(({ path }) => path.split('/').at(-2) === 'decisions');
}

async function listMarkdown(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const lists = entries.map(async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : await listMarkdown(root, path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
  return (await Promise.all(lists)).flat();
}
