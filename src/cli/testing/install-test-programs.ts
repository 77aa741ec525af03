import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { spawnSync } from 'node:child_process';
import { projectRoot } from '../project.ts';

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Prefers the browser in CHROMIUM, then an installed one, then Playwright's. */
export function findChromium({ excludeHeadlessShell = false }: { excludeHeadlessShell?: boolean } = {}):
  string | undefined {
  const candidates = [
    process.env['CHROMIUM'],
    ...(excludeHeadlessShell ? [] : ['/usr/bin/chromium-headless-shell']), // uses a third less CPU time than the full browser
    ...systemBrowsers,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

export function installChromium(): void {
  installMissingProgram('Chromium', () => findChromium() !== undefined, [
    'apt-get update && apt-get install -y chromium-headless-shell',
    'npx playwright install --with-deps chromium',
    'apt-get install -y chromium',
  ]);
}

/** Tries shell commands in order until the program exists. */
function installMissingProgram(name: string, isThere: () => boolean, commands: readonly string[]): void {
  for (const command of commands) {
    if (isThere()) return;
    process.stdout.write(`No ${name} found: ${command}\n`);
    spawnSync('sh', ['-c', command], { cwd: projectRoot, stdio: 'inherit' });
  }
}

/** Installs the programs for signature tests, if the package manager has them: the XML Security Library and SoftHSM. */
export function installSignatureTools(): void {
  const isCommand = (name: string): boolean => spawnSync(name, ['--version']).error === undefined;
  const isThere = () => isCommand('xmlsec1') && isCommand('softhsm2-util');
  installMissingProgram('xmlsec1 and SoftHSM', isThere, ['apt-get update && apt-get install -y xmlsec1 softhsm2']);
}
