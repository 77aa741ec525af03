import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandError } from '../../src/cli/command.ts';
import {
  listFilesToTest,
  listMirroringTestPaths,
  selectDefinitionTestArguments,
  selectDocumentTestArguments,
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

test('listFilesToTest returns modified and new files without deleted ones, and rejects an unknown commit', () => {
  expect(listFilesToTest(root, 'HEAD')).toEqual(['edited.ts', 'nueva carpeta/ñandú.ts']);
  expect(() => listFilesToTest(root, '--help')).toThrow(CommandError);
  expect(() => listFilesToTest(root, 'no-such-commit')).toThrow('git cannot say what changed since no-such-commit.');
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

test('selectDocumentTestArguments selects the tests of the changed documents and those of several documents', () => {
  const pattern = selectDocumentTestArguments(['src/a.ts', 'flows/README.md', 'src/decisions/2026-11-22-a.md']).at(-1);
  const selected = [
    'flows/README.md links only to files that exist',
    '[ANA-01] flows/README.md has only valid JSON in its examples',
    'decision record src/decisions/2026-11-22-a.md has a dated file name',
    '[ASVS-2.1.3] limits.md lists every rate limit and mail allowance of the code',
    '[ANA-01] documentation for analysts explains every widget',
    'top-level README has at most 1,500 words',
    'src/flows/README.md links only to files that exist',
    '[ANA-01] schemas/README.md has only valid JSON in its examples',
    'decision record src/decisions/2026-11-22-b.md has a dated file name',
    'README.md links only to files that exist',
  ].map((name) => new RegExp(pattern ?? '').test(name));
  expect(selected).toEqual([true, true, true, true, true, true, false, false, false, false]);
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

test('selectDefinitionTestArguments selects all tests of definitions but the slow one for a definition file of no screen', () => {
  const all = readdirSync('tests/definitions').filter((file) => file.includes('.test.'));
  const selected = selectDefinitionTestArguments(['flows/ingreso.json']);
  expect(selected).toContain('tests/definitions/scenarios.test.ts');
  expect(selected).toHaveLength(all.length - 1);
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
