import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DefinitionError, type DefinitionsOptions, type Problem } from '../../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../../engine/compiler/load-definitions.ts';

/** What is wrong with a set. */
export interface Verdict {
  readonly problems: readonly Problem[];
  /** A file could not be read: nothing was checked across files. */
  readonly partial: boolean;
}

/**
 * What would be wrong with the definitions of a project after some of its files had other texts, or were gone (null), beyond what is wrong
 * already: a set that was broken elsewhere can be mended file by file.
 */
export async function verdictAfter(
  options: DefinitionsOptions,
  texts: ReadonlyMap<string, string | null>,
): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-'));
  try {
    for (const name of ['schemas', 'flows'])
      await cp(join(options.root, name), join(folder, name), { recursive: true });
    await symlink(join(options.root, 'plugins'), join(folder, 'plugins'));
    for (const [file, text] of texts) {
      if (text === null) {
        await rm(join(folder, file), { force: true });
        continue;
      }
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const after = await verdictOn({ ...options, root: folder });
    if (after.problems.length === 0) return after;
    const before = await verdictOn(options);
    const known = new Set(before.problems.map(keyOf));
    const added = after.problems.filter((problem) => !known.has(keyOf(problem)));
    // What only now can be checked across files was there unseen, unless it is of the files that are written.
    const isRevealed = before.partial && !after.partial;
    return { ...after, problems: isRevealed ? added.filter(({ file }) => texts.has(file)) : added };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function verdictOn(options: DefinitionsOptions): Promise<Verdict> {
  try {
    await loadDefinitions(options);
    return { problems: [], partial: false };
  } catch (error) {
    if (error instanceof DefinitionError) return error;
    throw error;
  }
}

function keyOf({ file, pointer, message }: Problem): string {
  return `${file} ${pointer} ${message}`;
}
