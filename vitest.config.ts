import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './src/cli/testing/temporary-files.ts';

keepTemporaryFilesInMemory();
process.env['TZ'] = 'America/Montevideo';
process.env['SHED_LAG_MS'] = '0'; // of the servers that tests start: the machine is busy with all the tests

const folders = ['tests', 'src', 'plugins'].filter((folder) => existsSync(folder));

const files = folders
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => /[.]test[.]tsx?$/.test(file));
const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));

/** Tests that share their modules with no others: they put something in the place of one. */
const alone = filesWith(/\bvi[.]mock\(/);
/** Tests with a document: a worker ends where the next file asks for another environment, and its modules with it. */
const drawn = filesWith(/^\/\/ @vitest-environment happy-dom$/m);

/** Takes away what a test put in the place of something else. */
const afterEach = 'tests/after-each.ts';

const ofMany = process.env['WHOLE_RUN'] !== undefined || process.env['SHARED_POSTGRES'] !== undefined;

/** A module that names the files of a folder depends on what is there: the cache knows its text alone. */
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
    retry: process.env['WHOLE_RUN'] ? 1 : 0, // as for the browser's tests: named at the end, and a fault to be found
    maxWorkers: 4, // tests wait for databases, mails and processes: two cores have time for two more
    experimental: { fsModuleCache: true }, // the projects share what each would read anew, and so does the next run
    isolate: process.env['ISOLATED_TESTS'] !== undefined, // else each file would load the engine, or the whole server, anew
    projects: [
      {
        extends: true,
        test: {
          name: 'undrawn',
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: [...drawn, ...alone],
          setupFiles: afterEach,
          globalSetup: ofMany ? ['tests/server/support/shared-postgres.ts'] : [], // worth its start in a run of many files
        },
      },
      {
        extends: true,
        test: {
          name: 'drawn',
          include: drawn,
          exclude: alone,
          setupFiles: [afterEach, 'tests/engine/support/before-react.ts'],
          server: { deps: { inline: [/@rjsf.(mantine|primereact)/] } }, // they import as bundlers resolve
        },
      },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
    ],
  },
});
