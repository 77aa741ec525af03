import { defineConfig } from '@playwright/test';
import { findChromium } from './src/cli/testing/install-test-programs.ts';
import { useMemoryForTemporaryFiles } from './src/cli/testing/temporary-files.ts';

useMemoryForTemporaryFiles();
const executablePath = findChromium();

/** Chromium flags: `--no-sandbox` because containers run it as root, the others so that it contacts no server except the portal. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Makes glyphs independent of the machine's font settings, because screenshots are compared.
  '--font-render-hinting=none',
  // A fake camera, automatic permission to use it, and peer connections over loopback, which browsers refuse by default.
  '--use-fake-device-for-media-stream=fps=5',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
];

const studioFiles = /analyst-\w+\.spec\.ts/;

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/shared-portals.ts',
  outputDir: 'test-results/browser',
  workers: 4, // two more than the usual two cores, because workers often wait for the server and its database
  fullyParallel: false,
  retries: process.env['WHOLE_RUN'] ? 1 : 0, // a test that passes only on retry is reported at the end with the trace of the retry, and must be fixed
  timeout: 60_000,
  // The files of the studio share one development server, so one worker runs them.
  projects: [
    { name: 'studio', testMatch: studioFiles, workers: 1, timeout: 240_000 },
    { name: 'portal', testIgnore: studioFiles },
  ],
  // Tolerates rendering noise, but not a button that has moved.
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
