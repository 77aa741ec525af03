import { mkdir, rm } from 'node:fs/promises';
import { createAction, formatError } from './command.ts';
import { root } from './project.ts';
import { listChangedFiles, selectSteps } from './testing/select-steps.ts';
import { createStepResult, type Step } from './testing/run-step.ts';
import { createPlaywrightStep, reportsFolder, createVitestStep, completeRunEnv } from './testing/runners.ts';
import { definitionsStep, createFormatStep, layersStep, createLintStep, typesStep } from './testing/tool-steps.ts';

/**
 * Steps of a complete test run. The lists run one after another. The steps of a list run concurrently, the longest
 * first.
 */
const allSteps: readonly (readonly Step[])[] = [
  [createLintStep(['.']), typesStep, createFormatStep(['.']), definitionsStep, layersStep],
  [createVitestStep('unit and server', [], completeRunEnv)],
  [createPlaywrightStep('browser', [], completeRunEnv)],
];

export const command = createAction(
  { changed: { type: 'boolean', default: false } },
  ({ options, positionals: [since = 'HEAD'] }) =>
    runStepGroups(options.changed ? selectSteps(listChangedFiles(root, since), since) : allSteps),
);

async function runStepGroups(lines: readonly (readonly Step[])[]): Promise<number> {
  const total = { passed: 0, failed: 0 };
  const failedTests: string[] = [];
  const runStep = async ({ name, run }: Step): Promise<void> => {
    const count = await run().catch((error: unknown) => createStepResult([`failed: ${formatError(error)}`]));
    process.stdout.write(`== ${name}: ${count.failed === 0 ? 'fine' : 'failed'}\n`);
    total.passed += count.passed;
    total.failed += count.failed;
    failedTests.push(...count.named);
  };
  await rm(reportsFolder, { recursive: true, force: true });
  await mkdir(reportsFolder, { recursive: true });
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
