import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DefinitionError, type DefinitionsOptions, type Problem } from '../../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../../engine/compiler/load-definitions.ts';

/**
 * What would be wrong with the definitions of a project after some of its files had other texts, beyond what is wrong already: a set that
 * was broken elsewhere can be mended file by file.
 */
export async function problemsAfter(
  options: DefinitionsOptions,
  texts: ReadonlyMap<string, string>,
): Promise<readonly Problem[]> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  try {
    for (const name of ['schemas', 'flows'])
      await cp(join(options.root, name), join(folder, name), { recursive: true });
    await symlink(join(options.root, 'plugins'), join(folder, 'plugins'));
    for (const [file, text] of texts) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const after = await problemsOf({ ...options, root: folder });
    if (after.length === 0) return after;
    const known = new Set((await problemsOf(options)).map(keyOf));
    return after.filter((problem) => !known.has(keyOf(problem)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function problemsOf(options: DefinitionsOptions): Promise<readonly Problem[]> {
  try {
    await loadDefinitions(options);
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

function keyOf({ file, pointer, message }: Problem): string {
  return `${file} ${pointer} ${message}`;
}
