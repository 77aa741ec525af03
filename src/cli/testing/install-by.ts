import { spawnSync } from 'node:child_process';

/** Installs a program that the machine lacks, by the first of some shell commands after which it is there. */
export function installBy(
  root: string,
  { name, ways, isThere }: { readonly name: string; readonly ways: readonly string[]; readonly isThere: () => boolean },
): void {
  for (const way of ways) {
    if (isThere()) return;
    process.stdout.write(`No ${name} found: ${way}\n`);
    spawnSync('sh', ['-c', way], { cwd: root, stdio: 'inherit' });
  }
}
