import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';

/** Headless Chromium, which uses a third less CPU time than the full browser. */
const headlessShells = ['/usr/bin/chromium-headless-shell'];

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Prefers the one in CHROMIUM, then an installed one, then Playwright's. */
export function findChromium({ excludeHeadlessShell = false }: { excludeHeadlessShell?: boolean } = {}):
  string | undefined {
  const candidates = [
    process.env['CHROMIUM'],
    ...(excludeHeadlessShell ? [] : headlessShells),
    ...systemBrowsers,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

export function installChromium(root: string): void {
  installMissingProgram(root, {
    name: 'Chromium',
    commands: [
      'apt-get update && apt-get install -y chromium-headless-shell',
      'npx playwright install --with-deps chromium',
      'apt-get install -y chromium',
    ],
    isThere: () => findChromium() !== undefined,
  });
}

/** Tries shell commands in order until the program exists. */
function installMissingProgram(
  root: string,
  {
    name,
    commands,
    isThere,
  }: { readonly name: string; readonly commands: readonly string[]; readonly isThere: () => boolean },
): void {
  for (const way of commands) {
    if (isThere()) return;
    process.stdout.write(`No ${name} found: ${way}\n`);
    spawnSync('sh', ['-c', way], { cwd: root, stdio: 'inherit' });
  }
}

/** For signature tests: the XML Security Library and SoftHSM, if the package manager has them. */
export function installSignatureTools(root: string): void {
  const isCommand = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;
  installMissingProgram(root, {
    name: 'xmlsec1 and SoftHSM',
    commands: ['apt-get update && apt-get install -y xmlsec1 softhsm2'],
    isThere: () => isCommand('xmlsec1') && isCommand('softhsm2-util'),
  });
}
