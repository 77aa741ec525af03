import { mkdir, rm } from 'node:fs/promises';
import { createCliAction } from './command.ts';
import { projectRoot } from './project.ts';
import { listFilesToTest, selectTestRunParts } from './testing/select-test-run-parts.ts';
import { createTestRunPartResult, type TestRunPart } from './testing/test-run-part.ts';
import { createPlaywrightRun, testReportsFolder, createVitestRun, wholeTestRunEnv } from './testing/test-runners.ts';
import {
  definitionCheck,
  createPrettierCheck,
  layerCheck,
  createOxlintCheck,
  typeCheck,
} from './testing/command-checks.ts';
import { describeError } from '../server/platform/base/errors.ts';

/** The lists run one after another. The steps of a list run concurrently, the longest first. */
const allSteps: readonly (readonly TestRunPart[])[] = [
  [createOxlintCheck(['.']), typeCheck, createPrettierCheck(['.']), definitionCheck, layerCheck],
  [createVitestRun('unit and server', [], wholeTestRunEnv)],
  [createPlaywrightRun('browser', [], wholeTestRunEnv)],
];

export const command = createCliAction(
  { changed: { type: 'boolean', default: false } },
  ({ options, positionals: [since = 'HEAD'] }) =>
    runStepGroups(options.changed ? selectTestRunParts(listFilesToTest(projectRoot, since), since) : allSteps),
);

async function runStepGroups(lines: readonly (readonly TestRunPart[])[]): Promise<number> {
  const total = { passed: 0, failed: 0 };
  const failedTests: string[] = [];
  const runStep = async ({ name, run }: TestRunPart): Promise<void> => {
    const count = await run().catch((error: unknown) => createTestRunPartResult([`failed: ${describeError(error)}`]));
    process.stdout.write(`== ${name}: ${count.failed === 0 ? 'fine' : 'failed'}\n`);
    total.passed += count.passed;
    total.failed += count.failed;
    failedTests.push(...count.named);
  };
  await rm(testReportsFolder, { recursive: true, force: true });
  await mkdir(testReportsFolder, { recursive: true });
  for (const line of lines) {
    process.stdout.write(`\n== ${line.map(({ name }) => name).join(', ')}\n`);
    const waiting = [...line];
    const runNext = async (): Promise<void> => {
      for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step);
    };
    await Promise.all([runNext(), runNext()]);
  }
  // Printed last, because many CI systems show only the end of the output.
  if (failedTests.length > 0) process.stdout.write(`\n${failedTests.join('\n')}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}
