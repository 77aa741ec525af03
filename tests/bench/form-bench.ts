import { join } from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { findChromium } from '../../src/cli/testing/install-test-programs.ts';
import type { TableRow } from './markdown-table.ts';
import { computeMedian } from './statistics.ts';
import { serveFolder } from './serve-folder.ts';

/** CPU times of the page's main thread, in milliseconds. */
interface Sample {
  readonly start: number;
  /** Mean CPU time of twenty keystrokes. */
  readonly key: number;
  readonly submit: number;
}

const keys = 'abcdefghijklmnopqrst';

/** Measures the engine's page and the hand-written page of each form, alternately. Ratios are medians over the runs. */
export async function measureForms(folder: string, forms: readonly string[], runs: number): Promise<TableRow[]> {
  const sites = {
    ours: await serveFolder(join(folder, 'ours')),
    handwritten: await serveFolder(join(folder, 'handwritten')),
  };
  const executablePath = findChromium({ excludeHeadlessShell: true });
  const browser = await chromium.launch({
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const rows: TableRow[] = [];
  for (const form of forms) {
    const rounds: { ours: Sample; handwritten: Sample }[] = [];
    await measure(browser, sites.ours.url, form); // warm-up, because the first page includes the start of the browser
    for (let run = 0; run < runs; run += 1) {
      rounds.push({
        ours: await measure(browser, sites.ours.url, form),
        handwritten: await measure(browser, sites.handwritten.url, form),
      });
    }
    const steps = (['start', 'key', 'submit'] as const).map((step) => ({
      [`${step} ms`]: computeMedian(rounds.map(({ ours }) => ours[step])),
      [`${step} x hand-written`]: computeMedian(rounds.map(({ ours, handwritten }) => ours[step] / handwritten[step])),
    }));
    rows.push(Object.assign({ form }, ...steps) as TableRow);
  }
  await browser.close();
  for (const site of Object.values(sites)) site.close();
  return rows;
}

async function measure(browser: Browser, url: string, form: string): Promise<Sample> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${url}/?form=${form}`);
  // Polls at an interval, because polling at each animation frame would make the page render frames.
  await page.waitForFunction(() => Reflect.get(window, '__ready') === true, undefined, {
    polling: 100,
    timeout: 120_000,
  });
  const start = await readCpuMs(session);
  const key = (await measureDuring(session, () => type(page, form))) / keys.length;
  const submit = await measureDuring(session, () => submitForm(page));
  await context.close();
  return { start, key, submit };
}

async function type(page: Page, form: string): Promise<void> {
  await page.evaluate(
    (name) => {
      const hooks = Reflect.get(window, '__bench') as { field(name: string): HTMLElement | null }; // the cast is safe, because the page has called `exposeHooks`
      hooks.field(name)?.focus();
    },
    form === 'A' ? 'primerNombre' : 'f5',
  );
  await page.keyboard.type(keys, { delay: 30 });
}

async function submitForm(page: Page): Promise<void> {
  await page.evaluate(() => document.querySelector<HTMLButtonElement>('button[type=submit]')?.click());
  await page.waitForTimeout(500);
}

async function measureDuring(session: CDPSession, work: () => Promise<void>): Promise<number> {
  const before = await readCpuMs(session);
  await work();
  return (await readCpuMs(session)) - before;
}

async function readCpuMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}
