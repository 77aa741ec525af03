import { spawnSync } from 'node:child_process';

/** Installs a missing program with shell commands, tried in order until it is there. */
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

/** Installs the command of the XML Security Library, which tests use to verify SAML signatures, if the system's package manager has it. */
export function installXmlsec(root: string): void {
  installBy(root, {
    name: 'xmlsec1',
    ways: ['apt-get update && apt-get install -y xmlsec1'],
    isThere: () => spawnSync('xmlsec1', ['--version']).error === undefined,
  });
}
