import { isObject } from '../../engine/core/json.ts';
import type { Count } from './run-step.ts';

/** Sums a Vitest JSON report; a file that could not be loaded counts as one failure. */
export function countVitest(report: unknown, exitCode: number): Count {
  if (!isObject(report)) return { passed: 0, failed: 1 };
  const files = Array.isArray(report['testResults']) ? report['testResults'] : [];
  const unloaded = files.filter(
    (file) => isObject(file) && file['status'] === 'failed' && isEmpty(file['assertionResults']),
  ).length;
  return count(number(report['numPassedTests']), number(report['numFailedTests']) + unloaded, exitCode);
}

/** Sums a Playwright JSON report; a flaky test passed. */
export function countPlaywright(report: unknown, exitCode: number): Count {
  const stats = isObject(report) ? report['stats'] : undefined;
  if (!isObject(stats)) return { passed: 0, failed: 1 };
  return count(number(stats['expected']) + number(stats['flaky']), number(stats['unexpected']), exitCode);
}

/** A runner that fails without a failed test (an unhandled error, no test at all) counts as one failure. */
function count(passed: number, failed: number, exitCode: number): Count {
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function isEmpty(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0;
}
