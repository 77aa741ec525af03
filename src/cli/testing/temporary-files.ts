import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

/** A file system in memory that Linux has. */
const memory = '/dev/shm';

/** Several times what a whole run has there at once: databases, and copies of the project. Docker gives a container 64 MB. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Lets this process and all that it starts write temporary files to memory, where there is enough of it: on a disk the files of a new database cost as
 * much CPU time as the test that asks for it. What is left of them goes with the process. A TMPDIR that is set stays.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined || freeBytes() < neededBytes) return;
  const folder = mkdtempSync(join(memory, 'portal-tests-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as a user of its own, whose folder is below
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** What is free in memory; 0 where there is no such file system. */
function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
