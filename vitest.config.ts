import { defineConfig } from 'vitest/config';
import { aliases } from './vite.config.ts';

process.env['TZ'] = 'America/Montevideo';
process.env['SHED_LAG_MS'] = '0'; // of the servers that tests start: the machine is busy with all the tests

/** Tests of the server that change what others of them share. */
const alone = ['tests/server/passwords.test.ts', 'tests/server/sign-in-answers.test.ts'];

export default defineConfig({
  resolve: { alias: [...aliases] },
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: process.env['WHOLE_RUN'] ? 1 : 0, // as for the browser's tests: named at the end, and a fault to be found
    maxWorkers: 4, // tests wait for databases, mails and processes: two cores have time for two more
    projects: [
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          exclude: alone,
          isolate: false, // each file would load the whole server anew
          globalSetup: process.env['WHOLE_RUN'] ? ['tests/server/support/shared-postgres.ts'] : [], // worth its start in a run of many files
        },
      },
      {
        extends: true,
        test: {
          name: 'others',
          include: [
            ...alone,
            'tests/!(server)/**/*.test.{ts,tsx}',
            'src/**/*.test.{ts,tsx}',
            'plugins/**/*.test.{ts,tsx}',
          ],
        },
      },
    ],
  },
});
