import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from '../build-portal.ts';
import { projectRoot } from '../project.ts';
import { installChromium, installSignatureTools } from './install-test-programs.ts';
import {
  createTestRunPartResult,
  runPackageExecutable,
  type TestRunPart,
  type TestRunPartResult,
} from './test-run-part.ts';
import { getBinPath } from './command-checks.ts';
import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../engine/core/json.ts';

/** The part of Vitest's JSON report that is read. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
  }[];
}

/** A file that fails to load counts as one failure, a test that passes on retry as passed. */
export function summarizeVitestReport(report: unknown, exitCode: number): TestRunPartResult {
  if (!isObject(report)) return missingReport;
  const { numPassedTests, numFailedTests, testResults } = report as unknown as VitestReport; // cast, because Vitest's JSON reporter wrote the report
  const unloaded = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const troubled = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'failed' || failureMessages.length > 0)
      .map((test) => formatFailure(test.status === 'failed', [name, test.fullName], test.failureMessages[0])),
  );
  const named = [...unloaded.map(({ name }) => formatFailure(true, [name])), ...troubled];
  return createRunnerResult(numPassedTests, numFailedTests + unloaded.length, exitCode, named);
}

/** The part of Playwright's JSON report that is read. */
interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly { status: string; results: readonly { errors: readonly { message?: string }[] }[] }[];
  }[];
}

interface PlaywrightReport {
  readonly stats: Readonly<Record<'expected' | 'unexpected' | 'flaky', number>>;
  readonly suites?: readonly PlaywrightSuite[];
}

/** Counts the results in a Playwright report. A flaky test counts as passed. */
export function summarizePlaywrightReport(report: unknown, exitCode: number): TestRunPartResult {
  if (!isObject(report)) return missingReport;
  const { stats, suites = [] } = report as unknown as PlaywrightReport; // cast, because Playwright's JSON reporter wrote the report
  const named = suites.flatMap((suite) => listFailedSpecs(suite, []));
  return createRunnerResult(stats.expected + stats.flaky, stats.unexpected, exitCode, named);
}

function listFailedSpecs({ title, specs, suites = [] }: PlaywrightSuite, above: readonly string[]): readonly string[] {
  const path = [...above, title];
  const own = specs.flatMap((spec) => {
    const states = spec.tests.map(({ status }) => status);
    if (!states.includes('unexpected') && !states.includes('flaky')) return [];
    const [error] = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
    return [formatFailure(states.includes('unexpected'), [...path, spec.title], error?.message)];
  });
  return [...own, ...suites.flatMap((inner) => listFailedSpecs(inner, path))];
}

function formatFailure(failed: boolean, path: readonly string[], message = ''): string {
  const name = `${failed ? 'failed' : 'passed at the second try'}: ${path.join(' › ')}`;
  const [first = ''] = stripVTControlCharacters(message).split('\n');
  return first === '' ? name : `${name}: ${first.slice(0, 200)}`;
}

const missingReport = createTestRunPartResult(['failed: a runner wrote no report']);

/** Counts a failure if the exit code is not zero although no test failed, for example after an unhandled error. */
function createRunnerResult(passed: number, failed: number, exitCode: number, named: readonly string[]) {
  if (exitCode === 0 || failed > 0) return { passed, failed, named };
  return { passed, failed: 1, named: [...named, 'failed: an error outside of the tests, or no test at all'] };
}

export const testReportsFolder = join(projectRoot, 'test-results/reports');

export const wholeTestRunEnv = { WHOLE_RUN: '1' };

/** Makes tests share databases of one PostgreSQL server, which takes half of the time of embedded databases. */
export const sharedPostgresEnv = { SHARED_POSTGRES: '1' };

type Environment = Readonly<Record<string, string>>;

export function createVitestRun(name: string, words: readonly string[], env: Environment = {}): TestRunPart {
  return {
    name,
    async run() {
      installSignatureTools();
      const file = join(testReportsFolder, `${name}.json`);
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`, '--hideSkippedTests'];
      const command = [getBinPath('vitest'), 'run', ...reporters, ...words];
      const exitCode = await runPackageExecutable(command, projectRoot, env);
      const result = summarizeVitestReport(await readReport(file), exitCode);
      const isEmpty = words.includes('-t') && result.passed + result.failed === 0;
      return isEmpty ? createTestRunPartResult([`failed: ${name}: no test has a selected name`]) : result;
    },
  };
}

export function createPlaywrightRun(name: string, words: readonly string[], env: Environment = {}): TestRunPart {
  return {
    name,
    async run() {
      installChromium();
      await buildPortal(projectRoot, { force: false });
      const file = join(testReportsFolder, `${name}.json`);
      const command = [getBinPath('playwright'), 'test', '--reporter=list,json', ...words];
      const exitCode = await runPackageExecutable(command, projectRoot, { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file });
      return summarizePlaywrightReport(await readReport(file), exitCode);
    },
  };
}

async function readReport(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // returns no report, which the caller counts as a failure
  }
}
