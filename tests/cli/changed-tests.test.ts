import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandError } from '../../src/cli/command.ts';
import {
  listChangedFiles,
  listMirroringTestPaths,
  selectDefinitionTestArguments,
  selectTestRunParts,
} from '../../src/cli/testing/select-test-run-parts.ts';

const root = mkdtempSync(join(tmpdir(), 'changed-'));
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org', ...words], { cwd: root });

beforeAll(() => {
  git('init', '-q');
  for (const name of ['same.ts', 'edited.ts', 'gone.ts']) writeFileSync(join(root, name), '1');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(root, 'edited.ts'), '2');
  rmSync(join(root, 'gone.ts'));
  mkdirSync(join(root, 'nueva carpeta'));
  writeFileSync(join(root, 'nueva carpeta/ñandú.ts'), '1');
});
afterAll(() => rmSync(root, { recursive: true }));

test('listChangedFiles returns modified and new files without deleted ones, and rejects an unknown commit', () => {
  expect(listChangedFiles(root, 'HEAD')).toEqual(['edited.ts', 'nueva carpeta/ñandú.ts']);
  expect(() => listChangedFiles(root, '--help')).toThrow(CommandError);
  expect(() => listChangedFiles(root, 'no-such-commit')).toThrow('git cannot say what changed since no-such-commit.');
});

test.each([
  [[], []],
  [['LICENSE'], ['format']],
  [['src/engine/README.md'], ['format', 'documents']],
  [['src/server/app/purge-expired-data.ts'], ['lint, types, format, layers', 'unit and server']],
  [['tests/server/purge.test.ts'], ['lint, types, format', 'unit and server']],
  [['tests/e2e/login.spec.ts'], ['lint, types, format', 'unit and server', 'browser']],
  [['schemas/login/ui.json'], ['format, definitions', 'definitions']],
  [['plugins/phone/rule.ts'], ['lint, types, format, definitions, layers', 'definitions', 'unit and server']],
])('selectTestRunParts for %j returns the steps %j', (files, steps) => {
  const lines = selectTestRunParts(files, 'HEAD').map((line) => line.map(({ name }) => name).join(', '));
  expect(lines).toEqual(steps);
});

test('selectDefinitionTestArguments selects the cases of the changed screens by the title of their tests', () => {
  const [file = '', , pattern = ''] = selectDefinitionTestArguments([
    'schemas/login/ui.json',
    'tests/fixtures/contacto.json',
  ]);
  const [, title = ''] = /describe\.each\(screens\)\('(.*?)'/.exec(readFileSync(file, 'utf8')) ?? [];
  const selected = ['login', 'contacto', 'registro'].map((screen) =>
    new RegExp(pattern).test(`${title.replace('%s', screen)} has fixtures`),
  );
  expect(selected).toEqual([true, true, false]);
});

test.each([
  ['src/server/platform/base/clock.ts', 'tests/server/platform'],
  ['src/engine/core/json-logic.ts', 'tests/engine'],
  ['src/server/trust/sessions/access-tokens.ts', 'tests/server/trust'],
  ['tests/server/support/postgres.ts', 'tests/server'],
  ['tests/cli/commands.test.ts', 'tests/cli/commands.test.ts'],
  ['plugins/phone/rule.ts', 'tests/plugins'],
  ['vite.config.ts', 'tests'],
])('listMirroringTestPaths for %s returns %s', (file, place) => {
  expect(listMirroringTestPaths([file])).toEqual([place]);
});
