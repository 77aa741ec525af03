import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUseError, lockDataFolder } from '../../../src/server/platform/database/data-folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const file = () => join(folder, 'database.lock');

test('lockDataFolder locks a folder once, and again after its release', async () => {
  const release = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUseError);
  await expect(lockDataFolder(folder)).rejects.toThrow(`in use by process ${process.pid}`);
  await release();
  await (
    await lockDataFolder(folder)
  )();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  { note: 'of an ended process', content: async () => `${await findDeadPid()} 1\n` },
  { note: 'of a reused pid', content: async () => `${process.pid} 1\n` },
  { note: 'without content', content: async () => '' },
  { note: 'with invalid content', content: async () => 'abc\n' },
])('lockDataFolder takes over a lock file $note', async ({ content }) => {
  await writeFile(file(), await content());
  const release = await lockDataFolder(folder);
  expect(await readFile(file(), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  await release();
});

test('lockDataFolder ignores a takeover file left by an ended process', async () => {
  await writeFile(file(), `${await findDeadPid()} 1\n`);
  await writeFile(`${file()}.takeover`, `${await findDeadPid()} 1\n`);
  await (
    await lockDataFolder(folder)
  )();
  expect(await readdir(folder)).toEqual([]);
});

test.each(Array.from({ length: 20 }, (_, round) => round))(
  'lockDataFolder lets exactly one of ten parallel callers take over a stale lock (%i)',
  async (round) => {
    await writeFile(file(), round % 2 === 0 ? `${await findDeadPid()} 1\n` : '');
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataFolder(folder)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(DataFolderInUseError);
  },
);

async function findDeadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}
