import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from './src/cli/testing/find-chromium.ts';

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
];

const testDir = 'tests/e2e';

/** A development server of their own, for minutes: they come first, so that nothing waits for them at the end. */
const studio = ['studio.spec.ts', 'gallery.spec.ts'];

/**
 * Tests with a server of their own. They stand apart from those that share the worker's: Playwright runs a worker and its server anew
 * wherever files with other fixtures meet.
 */
const own = readdirSync(testDir)
  .filter((file) => file.endsWith('.spec.ts') && !studio.includes(file))
  .filter((file) => /scope: 'worker'|\bsettings: \{/.test(readFileSync(join(testDir, file), 'utf8')));

const within = (files: readonly string[]) => files.map((file) => `**/${file}`);

export default defineConfig({
  testDir,
  projects: [
    { name: 'studio', testMatch: within(studio) },
    { name: 'shared server', testMatch: '**/*.spec.ts', testIgnore: within([...studio, ...own]) },
    { name: 'own server', testMatch: within(own) },
  ],
  outputDir: 'test-results/browser',
  workers: 4, // pages wait for the server, and the server for its database: two cores have time for two more

  fullyParallel: false,
  retries: process.env['WHOLE_RUN'] ? 1 : 0, // what passes only then is named at the end, with the trace of its second run: a fault to be found
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'es-UY',
    timezoneId: 'America/Montevideo',
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
    launchOptions: { args, ...(executablePath !== undefined && { executablePath }) },
  },
});
