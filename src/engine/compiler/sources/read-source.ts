import { join, relative, sep } from 'node:path';
import { readInside } from './read-inside.ts';
import { parseSource, type Problems, type SourceFile } from './source-file.ts';

export async function readSource(root: string, path: string, problems: Problems): Promise<SourceFile | null> {
  const bytes = await readInside(root, path).catch(String);
  return parseSource(relative(root, join(root, path)).split(sep).join('/'), bytes, problems);
}
