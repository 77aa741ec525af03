import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const tools = Object.entries(scripts).filter(([, command]) => command.includes('run.mjs'));

test('package.json has the tool scripts chaos and bench', () =>
  expect(tools.map(([name]) => name)).toEqual(expect.arrayContaining(['chaos', 'bench'])));

test.each(tools)('npm run %s -- --help prints its usage without compiling the tool', (name, command) => {
  const [program = '', ...words] = command.split(' ');
  const { status, stdout, stderr } = spawnSync(program, [...words, '--help'], {
    cwd: projectRoot,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: '/nowhere' }, // the unusable TMPDIR proves that help needs no compilation
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`npm run ${name} --`);
});
