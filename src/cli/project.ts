import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../..');

/**
 * Lists the paths of the matching files below folders, sorted by folder and path. A missing folder is empty. Lists with file types, because Node.js
 * otherwise queries the type of each file.
 */
export async function listFiles(
  root: string,
  folders: readonly string[],
  isIncluded: (path: string) => boolean,
): Promise<readonly string[]> {
  return folders.flatMap((folder) => {
    const start = join(root, folder);
    const entries = existsSync(start) ? readdirSync(start, { recursive: true, withFileTypes: true }) : [];
    return entries
      .map(({ parentPath, name }) => `${folder}${parentPath.slice(start.length).replaceAll('\\', '/')}/${name}`)
      .filter(isIncluded)
      .sort();
  });
}

/** Reads files at once. Reading hundreds of files asynchronously takes six times the CPU time. */
export function readTexts(root: string, files: readonly string[]): readonly string[] {
  return files.map((file) => readFileSync(join(root, file), 'utf8'));
}
