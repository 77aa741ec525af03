import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../src/cli/project.ts';
import { runPackageExecutable } from '../src/cli/testing/test-run-part.ts';
import { sharedServer, startServer } from './server/support/postgres.ts';

/** Content of `tests/mutants.json`: for each source file or folder, the test files that must detect its mutants. */
type MutantTests = Readonly<Record<string, readonly string[]>>;

const watch = JSON.parse(await readFile(join(projectRoot, 'tests/mutants.json'), 'utf8')) as MutantTests; // the cast is safe, because tests/architecture/mutants.test.ts validates the format
const files = process.argv.slice(2).flatMap(filesOf);
/** Files to mutate, grouped by the tests that must detect their mutants. Running other tests would only take time. */
const groups = new Map<string, readonly string[]>();
for (const file of files) {
  const tests = findTests(file).join('\n');
  groups.set(tests, [...(groups.get(tests) ?? []), file]);
}

if (files.length === 0)
  exitWithError('Usage: npm run mutants -- FILE…, of which each is a file, a part of one (FILE:12-40) or a folder');
else if (process.exitCode === undefined)
  for (const group of groups.values()) process.exitCode = (await mutate(group)) || process.exitCode || 0;

/** Removes a line range such as `:12-20` from a path. It limits the mutation to a part of the file. */
function stripLineRange(argument: string): string {
  return argument.replace(/:\d+-\d+$/, '');
}

/** Lists the files in a folder. Returns the path itself if it is a file. */
function filesOf(argument: string): readonly string[] {
  if (/[.]tsx?$/.test(stripLineRange(argument))) return [argument];
  const folder = argument.replace(/\/$/, '');
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /[.]tsx?$/.test(path) && !/[.]test[.]tsx?$/.test(path))
    .map((path) => `${folder}/${path}`)
    .toSorted();
}

/** Returns the tests of the longest matching entry. */
function findTests(argument: string): readonly string[] {
  const file = stripLineRange(argument);
  const [entry] = Object.keys(watch)
    .filter((path) => file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`))
    .sort((a, b) => b.length - a.length);
  if (entry === undefined)
    exitWithError(
      `${file}: no tests are named for it in tests/mutants.json. Add it there, with the test files that must notice its changes.`,
    );
  return entry === undefined ? [] : (watch[entry] ?? []);
}

async function mutate(group: readonly string[]): Promise<number> {
  const testFiles = findTests(group[0] ?? '');
  const cache = join(projectRoot, 'node_modules/.cache/mutants');
  await mkdir(cache, { recursive: true });
  const config = join(cache, 'stryker.json');
  await writeFile(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      vitest: { related: false },
      testFiles,
      mutate: group,
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
      concurrency: 1,
      disableTypeChecks: false,
      timeoutMS: 20_000,
      tempDirName: '.cache/mutants',
      cleanTempDir: 'always',
      ignorePatterns: ['data', 'dist', 'test-results', 'playwright-report'],
      reporters: ['clear-text', 'progress-append-only'],
      clearTextReporter: { logTests: false, reportTests: false, allowColor: false },
      allowEmpty: false,
      thresholds: { high: 95, low: 90, break: null },
    }),
  );
  const run = (env: Readonly<Record<string, string>> = {}) =>
    runPackageExecutable([join(projectRoot, 'node_modules/.bin/stryker'), 'run', config], projectRoot, {
      ...env,
      // If test files share their modules, Stryker reports a mutant with infinite recursion as survived.
      ...(testFiles.length > 1 && { ISOLATED_TESTS: 'yes' }),
    });
  return testFiles.some((file) => file.startsWith('tests/server/')) ? runWithPostgres(run) : run();
}

/**
 * Runs with a shared PostgreSQL server, because every mutant opens new databases, which take a tenth of the time of
 * embedded ones.
 */
async function runWithPostgres(run: (env: Readonly<Record<string, string>>) => Promise<number>): Promise<number> {
  const postgres = await startServer();
  try {
    return await run({ [sharedServer]: postgres.url });
  } finally {
    await postgres.stop();
  }
}

function exitWithError(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
