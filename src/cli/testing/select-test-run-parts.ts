import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project.ts';
import type { TestRunPart } from './test-run-part.ts';
import { createPlaywrightRun, sharedPostgresEnv, createVitestRun } from './test-runners.ts';
import { definitionCheck, createPrettierCheck, layerCheck, createOxlintCheck, typeCheck } from './command-checks.ts';
import { CommandError } from '../command.ts';
import { listChangedFiles } from '../git.ts';

/**
 * Selects tests that import a changed file of their own module, because following imports across modules would select every
 * test. Selects tests of definition files by screen name, because no test imports these files. Selects a browser test only if
 * it changed itself, because every browser test depends on everything. The steps of a list run concurrently.
 */
export function selectTestRunParts(files: readonly string[], since: string): readonly (readonly TestRunPart[])[] {
  const scripts = files.filter((file) => /[.][cm]?[jt]sx?$/.test(file));
  const defined = files.filter((file) => /^(schemas|flows|plugins|tests[/]fixtures)[/]/.test(file));
  const near = listMirroringTestPaths(scripts);
  const manyOfServer = near.some((place) => place === 'tests' || /^tests[/]server(?!.*[.]test[.])/.test(place));
  const runIf = (isAffected: boolean, ...steps: readonly TestRunPart[]) => (isAffected ? steps : []);
  return [
    [
      ...runIf(scripts.length > 0, createOxlintCheck(scripts), typeCheck),
      ...runIf(files.length > 0, createPrettierCheck(files)),
      ...runIf(defined.length > 0, definitionCheck),
      ...runIf(
        scripts.some((file) => /^(src|plugins)[/]/.test(file)),
        layerCheck,
      ),
    ],
    runIf(
      files.some((file) => file.endsWith('.md')),
      createVitestRun('documents', selectDocumentTestArguments(files)),
    ),
    runIf(defined.length > 0, createVitestRun('definitions', selectDefinitionTestArguments(defined))),
    runIf(
      scripts.length > 0,
      createVitestRun(
        'unit and server',
        ['--changed', since, '--passWithNoTests', ...near],
        manyOfServer ? sharedPostgresEnv : {},
      ),
    ),
    runIf(
      files.some((file) => file.startsWith('tests/e2e/')),
      createPlaywrightRun('browser', [`--only-changed=${since}`, '--pass-with-no-tests']),
    ),
  ].filter((line) => line.length > 0);
}

/** Selects the tests with the path of a changed document in their name, and those that check several documents together. */
export function selectDocumentTestArguments(files: readonly string[]): readonly string[] {
  const documents = files.filter((file) => file.endsWith('.md')).map((file) => file.replaceAll('.', '[.]'));
  return [
    'tests/architecture/documents.test.ts',
    'tests/architecture/analyst-documents.test.ts',
    '-t',
    `(^| )(\\[(?!ANA-01\\] \\S+[.]md )|top-level |(${documents.join('|')}) )`,
  ];
}

/** Test that loads the definitions several times. It takes half of the time of its folder, and tests only the compiler. */
const slowDefinitionTest = 'cached-load.test.ts';

/** If a file belongs to no screen, selects all tests of definitions except the slow one, by name, because Vitest projects ignore `--exclude`. */
export function selectDefinitionTestArguments(defined: readonly string[]): readonly string[] {
  const names = defined.map(
    (file) => /^(?:schemas|tests[/]fixtures)[/]([^_/][^/.]*)(?:[/]|[.](?:json|txt)$)/.exec(file)?.[1],
  );
  if (names.includes(undefined))
    return readdirSync(join(projectRoot, 'tests/definitions'))
      .filter((file) => file.includes('.test.') && file !== slowDefinitionTest)
      .map((file) => `tests/definitions/${file}`);
  return ['tests/definitions/fixtures.test.tsx', '-t', `\\] screen (${[...new Set(names)].join('|')}) `];
}

/** Returns, for each file, the deepest folder in `tests` that mirrors its path. For a test file, returns the file itself. */
export function listMirroringTestPaths(files: readonly string[]): readonly string[] {
  return [...new Set(files.map(findNearbyTests))];
}

function findNearbyTests(file: string): string {
  if (/[.](test|spec)[.]tsx?$/.test(file)) return file;
  const segments = file
    .replace(/^(src|tests)[/]/, '')
    .replace(/[/]support[/].*/, '/x')
    .split('/');
  for (let depth = segments.length - 1; depth > 0; depth--) {
    const folder = ['tests', ...segments.slice(0, depth)].join('/');
    if (existsSync(join(projectRoot, folder))) return folder;
  }
  return 'tests';
}

/** Returns the changed files without deleted ones. Throws a CommandError if the commit does not exist. */
export function listFilesToTest(root: string, since: string): readonly string[] {
  const files = listChangedFiles(root, since);
  if (!files) throw new CommandError(`git cannot say what changed since ${since}.`);
  return files.filter((file) => existsSync(join(root, file)));
}
