import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const rows = readRows(await readFile(join(projectRoot, 'tests/requirements.md'), 'utf8'));
  const titles = await listTestTitles(projectRoot);
  terminal.out(rows.map((row) => describeRequirement(row, titles)).join('\n'));
  const proved = rows.filter(({ id }) => titles.some((title) => title.ids.includes(id))).length;
  terminal.out(`\n${proved} of ${rows.length} rows have a test.\n`);
});

/** Rows have the form `| ID | text |`. */
function readRows(markdown: string): readonly { id: string; text: string }[] {
  return [...markdown.matchAll(/^\|\s*([A-Z]+-\d+)\s*\|\s*(.*?)\s*\|\s*$/gm)].map(([, id = '', text = '']) => ({
    id,
    text,
  }));
}

function describeRequirement({ id, text }: { id: string; text: string }, titles: readonly TestTitle[]): string {
  const tests = titles.filter((title) => title.ids.includes(id));
  const lines = tests.length > 0 ? tests.map((test) => `    ${test.file}: ${test.title}`) : ['    no test yet'];
  return [`${id} ${text}`, ...lines, ''].join('\n');
}

interface TestTitle {
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
}

export async function listTestTitles(root: string): Promise<readonly TestTitle[]> {
  const files = (await Promise.all(['tests', 'src', 'plugins'].map((folder) => listTestFiles(root, folder))))
    .flat()
    .sort();
  const found = await Promise.all(
    files.map(async (file) => parseTestTitles(file, await readFile(join(root, file), 'utf8'))),
  );
  return found.flat();
}

function parseTestTitles(file: string, source: string): readonly TestTitle[] {
  const pattern = /(['"`])((?:\\.|(?!\1).)*?\[([A-Z]+-\d[\d.]*(?:[ ,]+[A-Z]+-\d[\d.]*)*)\](?:\\.|(?!\1).)*)\1/g;
  return [...source.matchAll(pattern)].map(([, , title = '', named = '']) => {
    const ids = named.split(/[ ,]+/).filter((id) => !id.includes('.')); // ids with a dot belong to a published standard
    return { file, title, ids };
  });
}

async function listTestFiles(root: string, folder: string): Promise<readonly string[]> {
  const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
  return names.filter((name) => /\.(test|spec)\.tsx?$/.test(name)).map((name) => `${folder}/${name}`);
}
