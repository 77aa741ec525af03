import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

export const projectRoot = resolve(import.meta.dirname, '../..');

/** Lists the paths of the matching files below folders, sorted by folder and path. A missing folder is empty. */
export async function listFiles(
  root: string,
  folders: readonly string[],
  isIncluded: (path: string) => boolean,
): Promise<readonly string[]> {
  const lists = folders.map(async (folder) => {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`).sort();
  });
  return (await Promise.all(lists)).flat().filter(isIncluded);
}

/** Reads files at once. Reading hundreds of files asynchronously takes six times the CPU time. */
export function readTexts(root: string, files: readonly string[]): readonly string[] {
  return files.map((file) => readFileSync(join(root, file), 'utf8'));
}
