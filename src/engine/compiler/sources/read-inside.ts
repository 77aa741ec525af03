import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Folders of what analysts write. Others hold code, which may be a link. */
const written = ['schemas', 'flows', 'tests'];

/**
 * Reads a file below `root`. Throws if it is not there. Of the folders of definitions and their tests it also throws if a relative path or a
 * symbolic link leads out of the folder: a definition would show a file of the machine.
 */
export async function readInside(root: string, path: string): Promise<Buffer> {
  const [top = ''] = path.split('/', 1);
  const file = await realpath(join(root, path));
  if (written.includes(top) && !file.startsWith(join(await realpath(root), top) + sep))
    throw new Error(`it leads out of ${top}`);
  return readFile(file);
}
