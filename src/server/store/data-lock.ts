import { readFileSync } from 'node:fs';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Thrown when another live process has the data folder open. */
export class DataFolderInUse extends Error {
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
    try {
      await writeFile(file, own, { flag: 'wx', mode: 0o600 });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const found = await readFile(file, 'utf8').catch(() => null);
    if (found === null) continue;
    if (isAlive(found)) throw new DataFolderInUse(folder, Number.parseInt(found, 10));
    await takeAway(file, found);
  }
}

/** Moves a stale lock aside; one that somebody renewed in between is put back. */
async function takeAway(file: string, stale: string): Promise<void> {
  const aside = `${file}.${process.pid}`;
  try {
    await rename(file, aside);
    if (await readFile(aside, 'utf8') !== stale) await link(aside, file);
    await rm(aside, { force: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'EEXIST')) throw error;
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
