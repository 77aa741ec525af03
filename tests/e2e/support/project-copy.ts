import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from './portal.ts';

/** A copy of the project for an analyst to edit while its server runs. */
export interface ProjectCopy {
  readonly root: string;
  /** Replaces a text that stands in a file; throws when it does not. */
  edit(file: string, from: string, to: string): Promise<void>;
  /** Writes a file anew. */
  write(file: string, content: unknown): Promise<void>;
  /** Gives a file or folder the content that it has in the project; one that is not there goes. */
  restore(path: string): Promise<void>;
  remove(): Promise<void>;
}

/** Copies what the server runs from, so that the project itself stays as it is. */
export async function copyProject(): Promise<ProjectCopy> {
  const root = await mkdtemp(join(tmpdir(), 'portal-project-'));
  for (const name of ['src', 'plugins', 'schemas', 'flows', 'dist/portal', 'package.json', 'tsconfig.json']) {
    await cp(join(projectRoot, name), join(root, name), { recursive: true });
  }
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return {
    root,
    async edit(file, from, to) {
      const before = await readFile(join(root, file), 'utf8');
      if (!before.includes(from)) throw new Error(`${file} does not hold ${from}`);
      await writeFile(join(root, file), before.replace(from, to));
    },
    async write(file, content) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      await writeFile(join(root, file), JSON.stringify(content, null, 2));
    },
    async restore(path) {
      await rm(join(root, path), { recursive: true });
      if (existsSync(join(projectRoot, path))) await cp(join(projectRoot, path), join(root, path), { recursive: true });
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
