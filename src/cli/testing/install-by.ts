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

/** Installs the command of the XML Security Library, by which tests verify signatures of SAML, where the system's package manager has it. */
export function installXmlsec(root: string): void {
  installBy(root, {
    name: 'xmlsec1',
    ways: ['apt-get update && apt-get install -y xmlsec1'],
    isThere: () => spawnSync('xmlsec1', ['--version']).error === undefined,
  });
}
