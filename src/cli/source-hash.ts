import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** What the build of the portal is made of; a test asks the bundler whether a file is missing. */
export const sources = [
  'vite.config.ts',
  'package-lock.json',
  'src/desk',
  'src/brand',
  'src/contract',
  'src/domain',
  'src/engine/core',
  'src/engine/fluent',
  'src/engine/react',
  'src/engine/runtime',
  'src/engine/stand-ins',
  'src/portal',
  'src/video-room',
  'plugins',
  'schemas/_shared',
];

/** Hash over names and contents of everything that the portal's build is made of. */
export async function sourceHash(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const path of (await Promise.all(sources.map((source) => files(join(root, source))))).flat().sort()) {
    hash
      .update(`${relative(root, path)}\0`)
      .update(await readFile(path))
      .update('\0');
  }
  return hash.digest('hex');
}

async function files(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}
