import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createPrivateFile } from '../base/create-private-file.ts';
import { StartError } from '../base/errors.ts';

export class DataFolderInUseError extends StartError {
  constructor(folder: string, pid: number) {
    super(`The data folder ${folder} is in use by process ${pid}. Stop it first, or set DATA_DIR to another folder.`);
  }
}

/**
 * Locks the data folder with a file that contains pid and start time of this process, and returns a function that unlocks it. Takes over a lock whose
 * process has ended. Without the lock, two processes on one embedded database would silently overwrite each other's rows.
 */
export async function lockDataFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'database.lock');
  const own = `${process.pid} ${readStartTime(process.pid)}\n`;
  for (;;) {
    if (await createPrivateFile(file, own)) return () => rm(file, { force: true });
    const found = await readFile(file, 'utf8').catch(() => null);
    if (found === null) continue;
    if (isHolderAlive(found)) throw new DataFolderInUseError(folder, Number.parseInt(found, 10));
    await removeStaleLock(file, found, own);
  }
}

/**
 * Removes a lock whose process has ended. First creates a second lock file, the guard, and reads the lock again. Otherwise this process could remove
 * a lock that another process has just created.
 */
async function removeStaleLock(file: string, stale: string, own: string): Promise<void> {
  const guard = `${file}.takeover`;
  if (!(await createPrivateFile(guard, own))) {
    const holder = await readFile(guard, 'utf8').catch(() => null);
    if (holder !== null && !isHolderAlive(holder))
      await rm(guard, { force: true }); // the process that created the guard has ended
    else await setTimeout(20);
    return;
  }
  try {
    if ((await readFile(file, 'utf8').catch(() => null)) === stale) await rm(file, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

function isHolderAlive(lock: string): boolean {
  const [pid = '', mark = ''] = lock.trim().split(' ');
  if (!/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return readStartTime(Number(pid)) === mark;
}

/**
 * Returns the start time of a process in clock ticks. It distinguishes the process from a later one with the same pid, as in a restarted container.
 */
function readStartTime(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields?.[19] ?? '-';
  } catch {
    return '-'; // the system has no /proc
  }
}
