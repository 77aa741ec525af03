import { defineConfig } from 'vitest/config';
import { aliases } from './vite.config.ts';

process.env['TZ'] = 'America/Montevideo';

export default defineConfig({
  resolve: { alias: [...aliases] },
  test: {
    include: ['tests/**/*.test.{ts,tsx}', 'src/**/*.test.{ts,tsx}', 'plugins/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Worth its start in a run of many files.
    globalSetup: process.env['WHOLE_RUN'] ? ['tests/server/support/shared-postgres.ts'] : [],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
