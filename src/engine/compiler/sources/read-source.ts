import { join, relative, sep } from 'node:path';
import { type SourceFile } from './source-file.ts';
import { parseSourceFile } from './parse-source-file.ts';
import { type ProblemCollector } from './problem-collector.ts';
import { readFile, realpath } from 'node:fs/promises';

export async function readSourceFile(
  root: string,
  path: string,
  problems: ProblemCollector,
): Promise<SourceFile | null> {
  const bytes = await readFileWithin(root, path).catch(String);
  return parseSourceFile(relative(root, join(root, path)).split(sep).join('/'), bytes, problems);
}

const realRoots = new Map<string, Promise<string>>();

/** Resolves the symbolic links in the path of a project folder. Cached, because a load reads hundreds of files. */
function resolveRoot(root: string): Promise<string> {
  const known = realRoots.get(root) ?? realpath(root);
  realRoots.set(root, known);
  known.catch(() => realRoots.delete(root)); // do not cache a failure: the folder may be created later
  return known;
}

/** Folders that analysts edit. Other folders contain code and may be symbolic links. */
const analystFolders = ['schemas', 'flows', 'tests'];

/**
 * Reads a file below `root`. Throws if the file does not exist. In folders that analysts edit, also throws if a relative path or symbolic link points
 * outside the folder. A definition could otherwise expose any file of the machine.
 */
export async function readFileWithin(root: string, path: string): Promise<Buffer> {
  const [top = ''] = path.split('/', 1);
  if (!analystFolders.includes(top)) return readFile(join(root, path));
  const file = await realpath(join(root, path));
  if (!file.startsWith(join(await resolveRoot(root), top) + sep)) throw new Error(`it leads out of ${top}`);
  return readFile(file);
}
