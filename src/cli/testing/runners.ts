import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPortal } from '../build-portal.ts';
import { root } from '../project.ts';
import { installChromium } from './find-chromium.ts';
import { installXmlsec } from './install-by.ts';
import { runTool, type Step } from './run-step.ts';
import { countPlaywright, countVitest } from './test-reports.ts';
import { bin } from './tools.ts';

/** Where both runners write what they counted. */
export const reports = join(root, 'test-results/reports');

/** What the settings of both runners know of a run of everything. */
export const wholeRun = { WHOLE_RUN: '1' };

/** A server of PostgreSQL for all files of a run of vitest: a database there costs half of what an embedded one does. */
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

/** Playwright with some arguments, on the portal as it is built now. */
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
    return null; // a runner that died has written none: its count is a failure
  }
}
