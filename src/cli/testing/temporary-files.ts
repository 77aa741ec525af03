import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';

/**
 * Minimum free memory for temporary files, in bytes: several times the peak of a complete test run. Docker's default
 * for `/dev/shm` is only 64 MB.
 */
const neededBytes = 4 * 1024 ** 3;

/**
 * Sets TMPDIR to a folder in memory if there is enough memory, because creating a database on disk takes as much CPU
 * time as the test that uses it. Deletes the folder at exit. Does not replace an existing TMPDIR.
 */
export function useMemoryForTemporaryFiles(): void {
  if (process.env['TMPDIR'] !== undefined || getFreeBytes() < neededBytes) return;
  const folder = mkdtempSync(join(memoryFolder, 'portal-tests-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user, who must be able to traverse this folder
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

/** Returns the free bytes of the in-memory file system. Returns 0 if there is none. */
function getFreeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
