import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { shortRunFlags } from './src/cli/testing/short-run-flags.ts';
import { useMemoryForTemporaryFiles } from './src/cli/testing/temporary-files.ts';

useMemoryForTemporaryFiles();
process.env['TZ'] = 'America/Montevideo';
process.env['SHED_LAG_MS'] = '0'; // disables load shedding of the servers under test, because tests keep the machine busy

const folders = ['tests', 'src', 'plugins'].filter((folder) => existsSync(folder));

const files = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /[.]test[.]tsx?$/.test(file));
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));

/** Tests that mock a module. They need isolation, because other tests share their modules within a worker. */
const alone = filesWith(/\bvi[.]mock\(/);
/** Tests with a DOM. They form a separate project, because a worker restarts and loses its modules when the environment changes. */
const drawn = filesWith(/^\/\/ @vitest-environment happy-dom$/m);

/** Setup file that removes mocks after each test. */
const afterEach = 'tests/after-each.ts';

const ofMany = process.env['WHOLE_RUN'] !== undefined || process.env['SHARED_POSTGRES'] !== undefined;

/** Disables the cache for modules with `import.meta.glob`. They depend on the files in a folder, but the cache key contains only their text. */
const globsAnew: Plugin = {
  name: 'globs-anew',
  configureVitest({ experimental_defineCacheKeyGenerator: keep }) {
    keep(({ sourceCode }) => (sourceCode.includes('import.meta.glob') ? false : undefined));
  },
};

export default defineConfig({
  plugins: [globsAnew],
  test: {
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    retry: process.env['WHOLE_RUN'] ? 1 : 0, // as in playwright.config.ts: a test that passes only on retry is reported, and must be fixed
    execArgv: [...shortRunFlags],
    maxWorkers: 4, // two more than the usual two cores, because tests often wait for databases, mails and processes
    experimental: { fsModuleCache: true }, // shares transformed modules between the projects and with the next run
    isolate: process.env['ISOLATED_TESTS'] !== undefined, // without isolation, files share loaded modules such as the engine or the server
    projects: [
      {
        extends: true,
        test: {
          name: 'undrawn',
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: [...drawn, ...alone],
          setupFiles: afterEach,
          globalSetup: ofMany ? ['tests/server/support/shared-postgres.ts'] : [], // started only for runs of many files, where it saves more than it costs
        },
      },
      {
        extends: true,
        test: {
          name: 'drawn',
          include: drawn,
          exclude: alone,
          setupFiles: [afterEach, 'tests/engine/support/before-react.ts'],
          server: { deps: { inline: [/@rjsf.(mantine|primereact)/] } }, // inlined, because their imports need a bundler's resolution
        },
      },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
    ],
  },
});
