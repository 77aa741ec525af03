import { statfsSync } from 'node:fs';

/** A file system in memory that Linux has. */
const memory = '/dev/shm';

/** Several times what a whole run has there at once: databases, and copies of the project. Docker gives a container 64 MB. */
const neededBytes = 4 * 1024 ** 3;

/**
 * Lets this process and all that it starts write temporary files to memory, where there is enough of it: on a disk the files of a new database cost as
 * much CPU time as the test that asks for it. A TMPDIR that is set stays.
 */
export function keepTemporaryFilesInMemory(): void {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize >= neededBytes) process.env['TMPDIR'] ??= memory;
  } catch {
    // another operating system
  }
}
