import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './project.ts';
import { runTool } from './run-step.ts';

/** What `tests/mutants.json` says: a source file or folder, and the test files that must notice each change of it. */
type Watch = Readonly<Record<string, readonly string[]>>;

const watch = JSON.parse(await readFile(join(root, 'tests/mutants.json'), 'utf8')) as Watch; // its form is checked by tests/architecture/mutants.test.ts
const files = process.argv.slice(2);
const testFiles = [...new Set(files.flatMap(watchersOf))];

if (files.length === 0) fail('Usage: npm run mutants -- FILE…');
else if (testFiles.length > 0) process.exitCode = await mutate();

/** Tests of the most exact entry that holds the file. */
function watchersOf(file: string): readonly string[] {
  const [entry] = Object.keys(watch).filter((path) => file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`)).sort((a, b) => b.length - a.length);
  if (entry === undefined) fail(`${file}: no tests are named for it in tests/mutants.json. Add it there, with the test files that must notice its changes.`);
  return entry === undefined ? [] : (watch[entry] ?? []);
}

async function mutate(): Promise<number> {
  const cache = join(root, 'node_modules/.cache/mutants');
  await mkdir(cache, { recursive: true });
  const config = join(cache, 'stryker.json');
  await writeFile(config, JSON.stringify({
    testRunner: 'vitest', plugins: ['@stryker-mutator/vitest-runner'], vitest: { related: false }, testFiles,
    mutate: files.map((file) => (/[.]tsx?$/.test(file) ? file : `${file.replace(/\/$/, '')}/**/*.ts`)),
    coverageAnalysis: 'perTest', ignoreStatic: true, concurrency: 1, disableTypeChecks: false, timeoutMS: 30_000,
    tempDirName: '.cache/mutants', ignorePatterns: ['data', 'dist', 'test-results', 'playwright-report'],
    reporters: ['clear-text', 'progress-append-only'], clearTextReporter: { logTests: false, allowColor: false },
    allowEmpty: false, thresholds: { high: 95, low: 90, break: null },
  }));
  return runTool([join(root, 'node_modules/.bin/stryker'), 'run', config], root);
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
