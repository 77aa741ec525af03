import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCliAction } from '../command.ts';
import { listFiles, projectRoot } from '../project.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const markdown = await readFile(join(projectRoot, 'tests/requirements.md'), 'utf8');
  const rows = [...markdown.matchAll(/^\|\s*([A-Z]+-\d+)\s*\|\s*(.*?)\s*\|\s*$/gm)]; // matches the rows of the requirements: | ID | text |
  const titles = await listTestTitles(projectRoot);
  let proved = 0;
  for (const [, id = '', text = ''] of rows) {
    const tests = titles.filter((title) => title.ids.includes(id));
    if (tests.length > 0) proved += 1;
    const lines = tests.length > 0 ? tests.map((test) => `    ${test.file}: ${test.title}`) : ['    no test yet'];
    terminal.out(`${[`${id} ${text}`, ...lines].join('\n')}\n\n`);
  }
  terminal.out(`${proved} of ${rows.length} rows have a test.\n`);
});

interface TestTitle {
  readonly file: string;
  readonly title: string;
  readonly ids: readonly string[];
}

export async function listTestTitles(root: string): Promise<readonly TestTitle[]> {
  const files = await listFiles(root, ['plugins', 'src', 'tests'], (path) => /\.(test|spec)\.tsx?$/.test(path));
  const found = await Promise.all(
    files.map(async (file) => parseTestTitles(file, await readFile(join(root, file), 'utf8'))),
  );
  return found.flat();
}

function parseTestTitles(file: string, source: string): readonly TestTitle[] {
  const pattern = /(['"`])((?:\\.|(?!\1).)*?\[([A-Z]+-\d[\d.]*(?:[ ,]+[A-Z]+-\d[\d.]*)*)\](?:\\.|(?!\1).)*)\1/g;
  return [...source.matchAll(pattern)].map(([, , title = '', named = '']) => {
    const ids = named.split(/[ ,]+/).filter((id) => !id.includes('.')); // skips ids with a dot, which belong to a published standard
    return { file, title, ids };
  });
}
