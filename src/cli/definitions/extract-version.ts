import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commitOf, runGit } from '../git.ts';

/** The definitions of a commit in a folder of their own, with the plugins of now; null where there is no such commit. */
export function extractVersion(root: string, commit: string): { folder: string; remove: () => void } | null {
  const hash = commitOf(root, commit);
  if (hash === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const archive = join(folder, 'version.tar');
  const packed = runGit(root, {
    command: 'archive',
    options: [`--output=${archive}`],
    values: [hash, 'schemas', 'flows'],
  });
  if (packed === null || spawnSync('tar', ['-xf', archive, '-C', folder]).status !== 0) {
    remove();
    return null;
  }
  rmSync(archive);
  symlinkSync(join(root, 'plugins'), join(folder, 'plugins'));
  return { folder, remove };
}
