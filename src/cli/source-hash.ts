import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** Files and folders that the build reads. A test compares this list with the files that the bundler reads. */
export const portalBuildSources = [
  'vite.config.ts',
  'src/desk',
  'src/brand',
  'src/contract',
  'src/domain',
  'src/engine/core',
  'src/engine/fluent',
  'src/engine/react',
  'src/engine/runtime',
  'src/portal',
  'src/video-room',
  'plugins',
  'schemas/_shared',
];

/** Hashes the names and contents of source files, and the versions of installed packages. */
export async function computeSourceHash(root: string): Promise<string> {
  const hash = createHash('sha256');
  const files = await Promise.all(portalBuildSources.map((source) => listFiles(join(root, source))));
  for (const path of files.flat().sort())
    hash
      .update(`${relative(root, path)}\0`)
      .update(await readFile(path))
      .update('\0');
  return hash.update(await listLockedPackages(join(root, 'package-lock.json'))).digest('hex');
}

/** Ignores all other properties of the lock file, because npm rewrites them, for example in `npm prune`. */
async function listLockedPackages(path: string): Promise<string> {
  const [file] = await listFiles(path);
  if (file === undefined) return '';
  const { packages = {} } = JSON.parse(await readFile(file, 'utf8')) as {
    packages?: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
  };
  const lines = Object.entries(packages).map(([name, { version, integrity }]) => [name, version, integrity].join(' '));
  return lines.sort().join('\n');
}

async function listFiles(path: string): Promise<readonly string[]> {
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
