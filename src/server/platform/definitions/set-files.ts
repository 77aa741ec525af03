import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { OtherTexts } from '../../../engine/compiler/definitions.ts';

/** Folders of the files that analysts write. */
const definitionFolders = ['schemas', 'flows'] as const;

/** The texts of a set by their paths in the project. */
export type SetFiles = ReadonlyMap<string, string>;

const compress = promisify(gzip);
const expand = promisify(gunzip);

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

/** What the compiler reads in place of the files on the disk so that it reads a set. */
export function textsOver(disk: SetFiles, files: SetFiles): OtherTexts {
  return new Map([...[...disk.keys()].map((path) => [path, null] as const), ...files]);
}

/** A set in few bytes. */
export function packSet(files: SetFiles): Promise<Buffer> {
  return compress(JSON.stringify([...files]));
}

/** A set that was packed. */
export async function unpackSet(packed: Buffer): Promise<SetFiles> {
  return new Map(JSON.parse((await expand(packed)).toString()) as [string, string][]);
}

/** A set by its files. */
export interface KnownSet {
  readonly digest: string;
  readonly files: SetFiles;
}

/** The definitions of a project as they are written now, and what they are known by. */
export async function readKnown(root: string): Promise<KnownSet> {
  const files = await readSet(root);
  return { digest: digestOf(files), files };
}
