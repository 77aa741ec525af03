import { defineConfig } from '@playwright/test';
import { findChromium } from './src/cli/testing/find-chromium.ts';
import { keepTemporaryFilesInMemory } from './src/cli/testing/temporary-files.ts';

keepTemporaryFilesInMemory();
const executablePath = findChromium();

/** Chromium runs as root in containers, and asks nobody but the portal. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Glyphs look the same whatever the fonts of the machine are set to: pictures are compared.
  '--font-render-hinting=none',
  // A camera that draws, a yes to the question for it, and a connection of this machine to itself, which browsers do not make otherwise.
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
];

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/shared-portals.ts',
  outputDir: 'test-results/browser',
  workers: 4, // pages wait for the server, and the server for its database: two cores have time for two more
  fullyParallel: false,
  retries: process.env['WHOLE_RUN'] ? 1 : 0, // what passes only then is named at the end, with the trace of its second run: a fault to be found
  timeout: 60_000,
  // A button that moved differs more than this.
  expect: { timeout: 10_000, toHaveScreenshot: { threshold: 0.3, maxDiffPixelRatio: 0.004 } },
  snapshotPathTemplate: '{testDir}/{arg}{ext}',
  use: {
    locale: 'es-UY',
    timezoneId: 'America/Montevideo',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: { args, ...(executablePath !== undefined && { executablePath }) },
  },
});
