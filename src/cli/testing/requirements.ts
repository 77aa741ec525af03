import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { testTitles, type TestTitle } from './test-titles.ts';

export const command: Command = {
  usage: `Usage:
  portal requirements    the rows of tests/requirements.md with the tests that name them
`,
  action: action({}, async ({ terminal }) => {
    const rows = readRows(await readFile(join(root, 'tests/requirements.md'), 'utf8'));
    const titles = await testTitles(root);
    terminal.out(rows.map((row) => describe(row, titles)).join('\n'));
    const proved = rows.filter(({ id }) => titles.some((title) => title.ids.includes(id))).length;
    terminal.out(`\n${proved} of ${rows.length} rows have a test.\n`);
  }),
};

/** Rows `| ID | text |` of the list. */
function readRows(markdown: string): readonly { id: string; text: string }[] {
  return [...markdown.matchAll(/^\|\s*([A-Z]+-\d+)\s*\|\s*(.*?)\s*\|\s*$/gm)].map(([, id = '', text = '']) => ({
    id,
    text,
  }));
}

function describe({ id, text }: { id: string; text: string }, titles: readonly TestTitle[]): string {
  const tests = titles.filter((title) => title.ids.includes(id));
  const lines = tests.length > 0 ? tests.map((test) => `    ${test.file}: ${test.title}`) : ['    no test yet'];
  return [`${id} ${text}`, ...lines, ''].join('\n');
}
