import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The definitions of a commit in a folder of their own, with the plugins of now; null where there is no such commit. */
export function extractVersion(root: string, commit: string): { folder: string; remove: () => void } | null {
  const known = spawnSync('git', ['rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  });
  if (known.status !== 0) return null;
  const archive = spawnSync('git', ['archive', known.stdout.trim(), 'schemas', 'flows'], {
    cwd: root,
    maxBuffer: 2 ** 28,
  });
  const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
  if (archive.status !== 0 || unpacked.status !== 0) {
    remove();
    return null;
  }
  symlinkSync(join(root, 'plugins'), join(folder, 'plugins'));
  return { folder, remove };
}
