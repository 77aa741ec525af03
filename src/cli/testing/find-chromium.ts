import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installBy } from './install-by.ts';

/** Chromium without a window to draw, which takes a third less of the processor in a test than a whole one does. */
const shells = ['/usr/bin/chromium-headless-shell'];

/** Where whole browsers of the operating system lie. */
const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of a Chromium: CHROMIUM, the system's, or Playwright's own; undefined when there is none. `whole`: as people have it. */
export function findChromium({ whole = false }: { whole?: boolean } = {}): string | undefined {
  const candidates = [process.env['CHROMIUM'], ...(whole ? [] : shells), ...systemBrowsers, chromium.executablePath()];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Installs a Chromium where there is none: by the system's package manager, else by Playwright. */
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
