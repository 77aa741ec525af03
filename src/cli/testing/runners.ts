import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from '../build-portal.ts';
import { root } from '../project.ts';
import { installChromium } from './find-chromium.ts';
import { installXmlsec } from './install-by.ts';
import { runTool, type Step } from './run-step.ts';
import { countPlaywright, countVitest } from './test-reports.ts';
import { bin } from './tools.ts';

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
