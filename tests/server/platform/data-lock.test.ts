import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUseError, lockDataFolder } from '../../../src/server/platform/database/data-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const file = () => join(folder, 'database.lock');

test('a data folder is opened once, and again after it was let go', async () => {
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
  { note: 'of a process that is gone', content: async () => `${await findDeadPid()} 1\n` },
  { note: 'of a pid that now belongs to another process', content: async () => `${process.pid} 1\n` },
  { note: 'that is empty', content: async () => '' },
  { note: 'that is damaged', content: async () => 'abc\n' },
])('a lock $note is taken over', async ({ content }) => {
  await writeFile(file(), await content());
  const release = await lockDataFolder(folder);
  expect(await readFile(file(), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
  await release();
});

test('a guard that a process left behind when it died is no obstacle', async () => {
  await writeFile(file(), `${await findDeadPid()} 1\n`);
  await writeFile(`${file()}.takeover`, `${await findDeadPid()} 1\n`);
  await (
    await lockDataFolder(folder)
  )();
  expect(await readdir(folder)).toEqual([]);
});

test.each(Array.from({ length: 20 }, (_, round) => round))(
  'of ten that take a stale lock over at once, one succeeds (%i)',
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
