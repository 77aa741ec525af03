import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installBy } from './install-by.ts';

/** Where browsers of the operating system lie. */
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium: CHROMIUM, the system's, or Playwright's own; undefined when there is none. */
export function findChromium(): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...systemBrowsers, chromium.executablePath()];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Installs a Chromium where there is none: by Playwright, else by the system's package manager. */
export function installChromium(root: string): void {
  installBy(root, {
    name: 'Chromium',
    ways: ['npx playwright install --with-deps chromium', 'apt-get update && apt-get install -y chromium'],
    isThere: () => findChromium() !== undefined,
  });
}
