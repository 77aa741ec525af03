import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Folders of the files that analysts write. */
const definitionFolders = ['schemas', 'flows'] as const;

/** The texts of a set by their paths in the project. */
export type SetFiles = ReadonlyMap<string, string>;

/** A set of definitions that came into service on this machine. */
export interface KeptSet {
  readonly version: string;
  /** Of its texts: the same texts have another version where code is another. */
  readonly digest: string;
  /** When it came into service. */
  readonly since: Date;
  files(): Promise<SetFiles>;
}

/** How many sets are kept. */
export const keptLimit = 20;

const compress = promisify(gzip);
const expand = promisify(gunzip);
const pattern = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3}Z)_([\w-]+)_([0-9a-f]{16})\.json\.gz$/;

/** Keeps the files of the set that is in service now, unless the last one that came is the same to the letter; the oldest ones go. */
export async function keepSet(folder: string, root: string, version: string, now: Date): Promise<void> {
  const files = await readSet(root);
  const digest = digestOf(files);
  const [last] = await keptSets(folder);
  if (last?.version === version && last.digest === digest) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${now.toISOString().replaceAll(':', '-')}_${version}_${digest}.json.gz`;
  const content = await compress(JSON.stringify([...files]));
  await writeFile(join(folder, `${name}.part`), content, { mode: 0o600 });
  await rename(join(folder, `${name}.part`), join(folder, name));
  for (const old of (await namesIn(folder)).slice(keptLimit)) await rm(join(folder, old), { force: true });
}

/** The kept sets, the latest first; none where nothing was kept yet. */
export async function keptSets(folder: string): Promise<readonly KeptSet[]> {
  return (await namesIn(folder)).map((name) => {
    const [, hour, minute, second, version = '', digest = ''] = pattern.exec(name) ?? [];
    return {
      version,
      digest,
      since: new Date(`${hour}:${minute}:${second}`),
      files: async () =>
        new Map(JSON.parse((await expand(await readFile(join(folder, name)))).toString()) as [string, string][]),
    };
  });
}

/** The definitions of a project as they are written now. */
export async function readSet(root: string): Promise<SetFiles> {
  const paths = await Promise.all(
    definitionFolders.map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
    ),
  );
  const texts = paths.flat().map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const);
  return new Map(await Promise.all(texts));
}

/** What texts are known by, whatever code compiles them. */
export function digestOf(files: SetFiles): string {
  const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex').slice(0, 16);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names
    .filter((name) => pattern.test(name))
    .sort()
    .reverse();
}
