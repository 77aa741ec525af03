import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Reads a file below `root`. Throws if it is not there, or if a relative path or a symbolic link leads out of the first folder of its path:
 * a definition would show a file of the machine. That folder itself may be a link.
 */
export async function readInside(root: string, path: string): Promise<Buffer> {
  const [top = ''] = path.split('/', 1);
  const file = await realpath(join(root, path));
  const folder = await realpath(join(root, top));
  if (file !== folder && !file.startsWith(folder + sep)) throw new Error(`it leads out of ${top}`);
  return readFile(file);
}
