import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

const realRoots = new Map<string, Promise<string>>();

/** Resolves the links of a project's folder once: a load reads hundreds of files. */
function realRoot(root: string): Promise<string> {
  const known = realRoots.get(root) ?? realpath(root);
  realRoots.set(root, known);
  known.catch(() => realRoots.delete(root)); // it may be made later
  return known;
}

/** Folders of what analysts write. Others hold code, which may be a link. */
const written = ['schemas', 'flows', 'tests'];

/**
 * Reads a file below `root`. Throws if it is not there. Of the folders of definitions and their tests it also throws if a relative path or a
 * symbolic link leads out of the folder: a definition would show a file of the machine.
 */
export async function readInside(root: string, path: string): Promise<Buffer> {
  const [top = ''] = path.split('/', 1);
  if (!written.includes(top)) return readFile(join(root, path));
  const file = await realpath(join(root, path));
  if (!file.startsWith(join(await realRoot(root), top) + sep)) throw new Error(`it leads out of ${top}`);
  return readFile(file);
}
