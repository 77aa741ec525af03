import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf, packSet, readSet, unpackSet, type SetFiles } from './set-files.ts';

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

const pattern = /^(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2}\.\d{3}Z)_([\w-]+)_([0-9a-f]{16})\.json\.gz$/;

/** Keeps the files of the set that is in service now, unless the last one that came is the same to the letter; the oldest ones go. */
export async function keepSet(folder: string, root: string, version: string, now: Date): Promise<void> {
  const files = await readSet(root);
  const digest = digestOf(files);
  const [last] = await keptSets(folder);
  if (last?.version === version && last.digest === digest) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = `${now.toISOString().replaceAll(':', '-')}_${version}_${digest}.json.gz`;
  const content = await packSet(files);
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
      files: async () => unpackSet(await readFile(join(folder, name))),
    };
  });
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
