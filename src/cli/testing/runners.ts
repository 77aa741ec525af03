import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from '../build-portal.ts';
import { root } from '../project.ts';
import { installChromium, installXmlsec } from './find-chromium.ts';
import { runTool, type Step, type Count } from './run-step.ts';
import { bin } from './tools.ts';
import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../engine/core/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Longest error line of a failed test, in characters. */
const longest = 200;

/** Sums a Vitest JSON report. A file that could not be loaded or set up counts as one failure, a test that passed on a retry as passed. */
export function countVitest(report: unknown, exitCode: number): Count {
  if (!isObject(report)) return silent;
  const files = objects(report['testResults']);
  const unloaded = files.filter(
    (file) =>
      file['status'] === 'failed' && !objects(file['assertionResults']).some(({ status }) => status === 'failed'),
  );
  const troubled = files.flatMap((file) =>
    objects(file['assertionResults']).flatMap((test) => {
      const failed = test['status'] === 'failed';
      if (!failed && isEmpty(test['failureMessages'])) return [];
      return [line(failed, [file['name'], test['fullName']], test['failureMessages'])];
    }),
  );
  return count(number(report['numPassedTests']), number(report['numFailedTests']) + unloaded.length, exitCode, [
    ...unloaded.map((file) => line(true, [file['name']])),
    ...troubled,
  ]);
}

/** Sums a Playwright JSON report. A flaky test counts as passed. */
export function countPlaywright(report: unknown, exitCode: number): Count {
  const stats = isObject(report) ? report['stats'] : undefined;
  if (!isObject(report) || !isObject(stats)) return silent;
  return count(
    number(stats['expected']) + number(stats['flaky']),
    number(stats['unexpected']),
    exitCode,
    objects(report['suites']).flatMap((suite) => troubledSpecs(suite, [])),
  );
}

function troubledSpecs(suite: Json, above: readonly unknown[]): readonly string[] {
  const path = [...above, suite['title']];
  const own = objects(suite['specs']).flatMap((spec) => {
    const tests = objects(spec['tests']);
    const states = tests.map(({ status }) => status);
    if (!states.includes('unexpected') && !states.includes('flaky')) return [];
    const errors = tests.flatMap(({ results }) => objects(results).flatMap(({ errors: own }) => objects(own)));
    return [
      line(
        states.includes('unexpected'),
        [...path, spec['title']],
        errors.map(({ message }) => message),
      ),
    ];
  });
  return [...own, ...objects(suite['suites']).flatMap((inner) => troubledSpecs(inner, path))];
}

function line(failed: boolean, path: readonly unknown[], messages: unknown = []): string {
  const name = `${failed ? 'failed' : 'passed at the second try'}: ${path.map(String).join(' › ')}`;
  const [message] = Array.isArray(messages) ? messages : [];
  const [first = ''] = typeof message === 'string' ? stripVTControlCharacters(message).split('\n') : [];
  return first === '' ? name : `${name}: ${first.slice(0, longest)}`;
}

const silent: Count = { passed: 0, failed: 1, named: ['failed: a runner wrote no report'] };

/** A runner that fails without a failed test (an unhandled error, no test at all) counts as one failure. */
function count(passed: number, failed: number, exitCode: number, named: readonly string[]): Count {
  if (exitCode === 0 || failed > 0) return { passed, failed, named };
  return { passed, failed: 1, named: [...named, 'failed: an error outside of the tests, or no test at all'] };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function objects(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0;
}

export const reports = join(root, 'test-results/reports');

export const wholeRun = { WHOLE_RUN: '1' };

/** Environment for one PostgreSQL server shared by all test files of a Vitest run. A database there costs half as much as an embedded one. */
export const sharedPostgres = { SHARED_POSTGRES: '1' };

type Environment = Readonly<Record<string, string>>;

export function vitest(name: string, words: readonly string[], env: Environment = {}): Step {
  return {
    name,
    async run() {
      installXmlsec(root);
      const file = join(reports, `${name}.json`);
      const exitCode = await runTool(
        [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...words],
        root,
        env,
      );
      return countVitest(await readReport(file), exitCode);
    },
  };
}

export function playwright(name: string, words: readonly string[], env: Environment = {}): Step {
  return {
    name,
    async run() {
      installChromium(root);
      await buildPortal(root, { force: false });
      const file = join(reports, `${name}.json`);
      const exitCode = await runTool([bin('playwright'), 'test', '--reporter=list,json', ...words], root, {
        ...env,
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      });
      return countPlaywright(await readReport(file), exitCode);
    },
  };
}

async function readReport(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // the runner ended without a report, which counts as a failure
  }
}
