import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFile } from '../base/make-file.ts';
import { StartError } from '../base/start-error.ts';

/** How long another one is let take a stale lock away, before this one looks again. */
const guardWaitMs = 20;

/** Thrown when another live process has the data folder open. */
export class DataFolderInUse extends StartError {
  constructor(folder: string, pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop it first, or set DATA_DIR to another folder.`);
  }
}

/**
 * Claims a data folder for this process by a lock file of pid and start mark, and answers how to let it go. A lock whose
 * process is gone is taken over. The embedded database itself would let two processes lose each other's rows silently.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'database.lock');
  const own = `${process.pid} ${startMark(process.pid)}\n`;
  for (;;) {
    if (await makeFile(file, own)) return () => rm(file, { force: true });
    const found = await readFile(file, 'utf8').catch(() => null);
    if (found === null) continue;
    if (isAlive(found)) throw new DataFolderInUse(folder, Number.parseInt(found, 10));
    await takeAway(file, found, own);
  }
}

/**
 * Takes a stale lock away. Only who holds the guard beside it may, and looks again first: a lock that somebody made in between must
 * not be touched, not even for a moment in which a third could take its place.
 */
async function takeAway(file: string, stale: string, own: string): Promise<void> {
  const guard = `${file}.takeover`;
  if (!(await makeFile(guard, own))) {
    const holder = await readFile(guard, 'utf8').catch(() => null);
    if (holder !== null && !isAlive(holder))
      await rm(guard, { force: true }); // it died while it held the guard
    else await setTimeout(guardWaitMs);
    return;
  }
  try {
    if ((await readFile(file, 'utf8').catch(() => null)) === stale) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function isAlive(lock: string): boolean {
  const [pid = '', mark = ''] = lock.trim().split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
  return startMark(Number(pid)) === mark;
}

/** When a process started, in the kernel's ticks: tells a reused pid (as in a restarted container) from the old one. */
function startMark(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields?.[19] ?? '-';
  } catch {
    return '-'; // no /proc on this system
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
