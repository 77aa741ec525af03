import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';

/** Free memory that the tests need: several times the peak of a complete test run. Docker's default for `/dev/shm` is only 64 MB. */
const neededBytes = 4 * 1024 ** 3;

/** Creating a database on disk takes as much CPU time as the test that uses it. Deletes the folder at exit. */
export function useMemoryForTemporaryFiles(): void {
  if (process.env['TMPDIR'] !== undefined || getFreeBytes() < neededBytes) return;
  const folder = mkdtempSync(join(memoryFolder, 'portal-tests-'));
  chmodSync(folder, 0o711); // PostgreSQL runs as another user, who must be able to traverse this folder
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}

function getFreeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
