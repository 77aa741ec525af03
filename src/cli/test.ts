import { mkdir, rm } from 'node:fs/promises';
import { action, formatError } from './command.ts';
import { root } from './project.ts';
import { changedFiles, stepsOfChange } from './testing/steps-of-change.ts';
import { createCount, type Step } from './testing/run-step.ts';
import { playwright, reports, vitest, wholeRun } from './testing/runners.ts';
import { definitions, format, layers, lint, types } from './testing/tools.ts';

/** Steps of a complete test run. Lines run in sequence, the steps of a line concurrently, the longest first: each keeps a core busy. */
const everything: readonly (readonly Step[])[] = [
  [lint(['.']), types, format(['.']), definitions, layers],
  [vitest('unit and server', [], wholeRun)],
  [playwright('browser', [], wholeRun)],
];

export const command = action(
  { changed: { type: 'boolean', default: false } },
  ({ options, words: [since = 'HEAD'] }) =>
    runLines(options.changed ? stepsOfChange(changedFiles(root, since), since) : everything),
);

async function runLines(lines: readonly (readonly Step[])[]): Promise<number> {
  const total = { passed: 0, failed: 0 };
  const named: string[] = [];
  const runStep = async ({ name, run }: Step): Promise<void> => {
    const count = await run().catch((error: unknown) => createCount([`failed: ${formatError(error)}`]));
    process.stdout.write(`== ${name}: ${count.failed === 0 ? 'fine' : 'failed'}\n`);
    total.passed += count.passed;
    total.failed += count.failed;
    named.push(...count.named);
  };
  await rm(reports, { recursive: true, force: true });
  await mkdir(reports, { recursive: true });
  for (const line of lines) {
    process.stdout.write(`\n== ${line.map(({ name }) => name).join(', ')}\n`);
    const waiting = [...line];
    const runNext = async (): Promise<void> => {
      for (let step = waiting.shift(); step; step = waiting.shift()) await runStep(step);
    };
    await Promise.all([runNext(), runNext()]);
  }
  // Near the last line, because many pipelines show only the end of the output.
  if (named.length > 0) process.stdout.write(`\n${named.join('\n')}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}
