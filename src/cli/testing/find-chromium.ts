import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installBy } from './install-by.ts';

/** Headless Chromium, which takes a third less CPU time in tests than the full browser. */
const shells = ['/usr/bin/chromium-headless-shell'];

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium: CHROMIUM, the system's, or Playwright's own. Returns `undefined` if there is none. `whole` excludes the headless shell. */
export function findChromium({ whole = false }: { whole?: boolean } = {}): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...(whole ? [] : shells), ...systemBrowsers, chromium.executablePath()];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Installs Chromium if it is missing, with the system's package manager or else with Playwright. */
export function installChromium(root: string): void {
  installBy(root, {
    name: 'Chromium',
    ways: [
      'apt-get update && apt-get install -y chromium-headless-shell',
      'npx playwright install --with-deps chromium',
      'apt-get install -y chromium',
    ],
    isThere: () => findChromium() !== undefined,
  });
}
