import { mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compareDefinitions } from '../../engine/compiler/compare/compare.ts';
import type { Change } from '../../engine/compiler/compare/change.ts';
import { DefinitionError, type Definitions, type DefinitionsOptions } from '../../engine/compiler/definitions.ts';
import { loadDefinitions, readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { keepSet, keptSets, type KeptSet } from '../../server/platform/definitions/kept-sets.ts';
import { digestOf, readSet, textsOver, type SetFiles } from '../../server/platform/definitions/set-files.ts';

/** What stands in the files and what was in service, the latest first. */
export interface SetsInService {
  /** The version of the files as they are; null: they do not compile, and the last good set is in service. */
  readonly current: string | null;
  /** Of the texts as they are. */
  readonly digest: string;
  readonly kept: readonly KeptSet[];
}

/** The sets of a project; `folder` is where the server keeps them. */
export async function setsInService(options: DefinitionsOptions, folder: string): Promise<SetsInService> {
  return {
    current: (await compiled(options))?.version ?? null,
    digest: digestOf(await readSet(options.root)),
    kept: await keptSets(folder),
  };
}

/** The version under which files are kept that do not compile. */
export const brokenVersion = 'broken';

/**
 * Brings the files of a set back that was in service: of a version, or of the last one whose texts are others than those of now. What the files
 * are now is kept as well. Answers what changed by that; null where there is no such set. Throws a DefinitionError where the plugins of now do not let it compile.
 */
export async function takeBack(
  options: DefinitionsOptions,
  { folder, version, now }: { readonly folder: string; readonly version: string | undefined; readonly now: Date },
): Promise<{ readonly version: string; readonly changes: readonly Change[] } | null> {
  const { current, digest, kept } = await setsInService(options, folder);
  const wanted = kept.find((set) =>
    version === undefined ? set.digest !== digest && set.version !== brokenVersion : set.version === version,
  );
  if (!wanted) return null;
  const { root } = options;
  const files = await wanted.files();
  const changes = await tryFiles(options, files, current === null ? null : await readSet(root));
  await keepSet(folder, root, current ?? brokenVersion, now);
  for (const path of (await readSet(root)).keys()) if (!files.has(path)) await removeFile(root, path);
  await writeFiles(root, files);
  return { version: wanted.version, changes };
}

/**
 * Compiles files beside the plugins of now; answers what they change of the texts that are in service, unless those are null. Throws a DefinitionError
 * where they do not compile.
 */
export async function tryFiles(
  options: DefinitionsOptions,
  files: SetFiles,
  inService: SetFiles | null,
): Promise<readonly Change[]> {
  const disk = await readSet(options.root);
  const withTexts = (texts: SetFiles) => ({ ...options, texts: textsOver(disk, texts) });
  await loadDefinitions(withTexts(files));
  if (inService === null) return [];
  return compareDefinitions(
    await readDefinitions(withTexts(inService)),
    await readDefinitions(withTexts(files)),
    options.access ?? {},
  );
}

/** Removes a file, and the folder of a screen with its last one. */
async function removeFile(root: string, path: string): Promise<void> {
  await rm(join(root, path));
  const folder = join(root, dirname(path));
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

async function writeFiles(root: string, files: SetFiles): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function compiled(options: DefinitionsOptions): Promise<Definitions | null> {
  return loadDefinitions(options).catch((error: unknown) => {
    if (error instanceof DefinitionError) return null;
    throw error;
  });
}
