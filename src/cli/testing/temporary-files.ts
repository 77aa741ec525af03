import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';

/** Required free space: several times the peak of a complete run, for databases and copies of the project. Docker gives a container only 64 MB. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Lets this process and its children write temporary files to memory, if there is enough: on a disk, creating a new database costs as much CPU time
 * as the test that uses it. Leftovers are deleted when the process ends. A TMPDIR that is set stays.
 */
export function useMemoryForTemporaryFiles(): void {
  if (process.env['TMPDIR'] !== undefined || getFreeBytes() < neededBytes) return;
  const folder = mkdtempSync(join(memoryFolder, 'portal-tests-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user, with its folder inside
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Returns the free bytes of the file system in memory. Returns 0 if the system has none. */
function getFreeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
