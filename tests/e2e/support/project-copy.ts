import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from './portal.ts';

/** A copy of the project that a test can edit while its server runs. */
export interface ProjectCopy {
  readonly root: string;
  /** Replaces a text in a file. Throws if the file does not contain the text. */
  edit(file: string, from: string, to: string): Promise<void>;
  write(file: string, content: unknown): Promise<void>;
  /** Restores a file or folder from the project. Removes it if the project does not have it. */
  restore(path: string): Promise<void>;
  remove(): Promise<void>;
}

/** Copies the files that the server needs, so that tests do not change the project itself. */
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
