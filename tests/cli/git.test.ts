import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  readCommittedFile,
  createDefinitionComparer,
  extractCommittedDefinitions,
} from '../../src/cli/definitions/definition-changes.ts';
import { findBaseCommit, findCommit, runGit } from '../../src/cli/git.ts';
import { listFilesToTest } from '../../src/cli/testing/select-test-run-parts.ts';
import { root as project, listSources } from '../architecture/source-texts.ts';

const root = mkdtempSync(join(tmpdir(), 'git-'));
const target = join(root, 'written');
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=QA', '-c', 'user.email=qa@example.org', ...words], {
    cwd: root,
    encoding: 'utf8',
  }).trim();

beforeAll(() => {
  git('init', '-q', '-b', 'main');
  for (const folder of ['schemas', 'flows']) {
    mkdirSync(join(root, folder));
    writeFileSync(join(root, folder, 'a.json'), '1\n');
  }
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(root, 'schemas/a.json'), '2\n');
  git('commit', '-qam', 'second');
  git('tag', 'v1.2');
  git('branch', 'tema/año-nuevo');
  git('update-ref', 'refs/heads/--output=written', 'HEAD');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('[EST-09] git revision from outside', () => {
  test.each([
    `--output=${'written'}`,
    '--output=/tmp/written',
    '-o',
    '--help',
    '--exec=touch written',
    '--upload-pack=touch written',
    '--',
    '',
    ' HEAD',
    'HEAD ',
    'HEAD\n--output=written',
    'HEAD\0',
    'HEAD..main',
    'HEAD...main',
    '..',
    'HEAD:schemas/a.json',
    ':/second',
    ':schemas/a.json',
    'HEAD^{/second}',
    '^HEAD',
    '../../etc/passwd',
    'x'.repeat(300),
  ])('is rejected if it is an option, a path, a range or malformed: %j', async (revision) => {
    expect(findCommit(root, revision)).toBeNull();
    expect(extractCommittedDefinitions(root, revision)).toBeNull();
    expect(await createDefinitionComparer(root)(revision)).toBeNull();
    expect(() => listFilesToTest(root, revision)).toThrow('git cannot say what changed');
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(root).sort()).toEqual(['.git', 'flows', 'schemas']);
  });

  test('is passed after --end-of-options, so that git does not read it as an option', () => {
    expect(runGit(root, { command: 'log', options: ['-1'], values: ['--output=written'] })).toBe(
      git('log', '-1', '--end-of-options', '--output=written') + '\n',
    );
    expect(runGit(root, { command: 'diff', values: ['--output=written', 'HEAD'] })).toBe('');
    expect(existsSync(target)).toBe(false);
  });
});

test('findCommit resolves branches, tags, hashes and ancestors, and returns null for an unknown name', () => {
  const head = git('rev-parse', 'HEAD');
  for (const name of ['HEAD', 'main', 'v1.2', 'tema/año-nuevo', 'refs/heads/main', '@', head, head.slice(0, 8)])
    expect(findCommit(root, name), name).toBe(head);
  for (const name of ['HEAD~1', 'HEAD^', 'main^1', '@~1', 'main@{0}~1'])
    expect(findCommit(root, name), name).toBe(git('rev-parse', 'HEAD~1'));
  expect(findCommit(root, 'nowhere')).toBeNull();
});

test('findBaseCommit returns the commit that a branch shares with the default branch of origin, or HEAD without a remote', () => {
  expect(findBaseCommit(root)).toBe('HEAD');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  expect(findBaseCommit(root)).toBe(git('rev-parse', 'HEAD~1'));
  git('symbolic-ref', '--delete', 'refs/remotes/origin/HEAD');
  git('update-ref', '-d', 'refs/remotes/origin/main');
});

test('readCommittedFile returns the text of the last commit, empty for unknown files, null outside a repository', () => {
  writeFileSync(join(root, 'schemas/a.json'), '3\n');
  expect(readCommittedFile(root, 'schemas/a.json')).toBe('2\n');
  expect(readCommittedFile(root, 'schemas/b.json')).toBe('');
  expect(readCommittedFile(root, '--output=written')).toBe('');
  expect(readCommittedFile(tmpdir(), 'schemas/a.json')).toBeNull();
  git('checkout', '-q', '.');
});

test('only src/cli/git.ts runs git', () => {
  const callers = listSources('src').filter((file) =>
    /\(\s*['"`]git['"`]/.test(readFileSync(join(project, file), 'utf8')),
  );
  expect(callers).toEqual(['src/cli/git.ts']);
});
