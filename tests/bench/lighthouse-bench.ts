import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '../../src/cli/testing/install-test-programs.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { buildHandwritten } from './build-pages.ts';
import { pageForms } from './bench-forms.ts';
import type { TableRow } from './markdown-table.ts';
import { computeMedian } from './statistics.ts';
import { serveFolder } from './serve-folder.ts';

const run = promisify(execFile);

/** Version of Lighthouse, which npx downloads on demand. With 185 MB, it is too large for a dependency. */
const version = '13.5.0';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const paths = ['/', '/login', '/registro', '/ayuda'];

/**
 * Measures pages of a real server with Lighthouse's mobile preset, alternating with the same hand-written form. Scores
 * are 0 to 100. All values are medians of the runs. The benchmark index is Lighthouse's measure of the machine: 1,500
 * for a computer, 500 for a cheap phone.
 */
export async function measurePages(runs: number): Promise<TableRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'handwritten-'));
  await buildHandwritten(Object.values(pageForms), folder);
  const site = await serveFolder(folder);
  const portal = await startPortal();
  try {
    const rows: TableRow[] = [];
    for (const path of paths) {
      const form = pageForms[path];
      const ours: Report[] = [];
      const byHand: Report[] = [];
      for (let count = 0; count < runs; count += 1) {
        ours.push(await retryOnce(() => audit(portal.url + path)));
        if (form) byHand.push(await retryOnce(() => audit(`${site.url}/${form.id}.html`)));
      }
      const [own, other] = [scoresOf(ours), scoresOf(byHand)];
      const ratio = (name: 'LCP ms' | 'TBT ms') => (form && other[name] > 0 ? own[name] / other[name] : '');
      rows.push({
        page: path,
        ...own,
        'LCP x hand-written': ratio('LCP ms'),
        'TBT x hand-written': ratio('TBT ms'),
        'hand-written performance': form ? other.performance : '',
        'benchmark index': Math.round(
          computeMedian([...ours, ...byHand].map(({ environment }) => environment.benchmarkIndex)),
        ),
      });
    }
    return rows;
  } finally {
    await portal.stop();
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function scoresOf(reports: readonly Report[]) {
  const of = (pick: (report: Report) => number) => computeMedian(reports.map(pick));
  const score = (name: (typeof categories)[number]) => Math.round(of(({ categories: all }) => all[name].score * 100));
  const timing = (name: Timing) => of(({ audits }) => audits[name].numericValue);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    'FCP ms': Math.round(timing('first-contentful-paint')),
    'LCP ms': Math.round(timing('largest-contentful-paint')),
    'TBT ms': Math.round(timing('total-blocking-time')),
    shift: Math.round(1000 * timing('cumulative-layout-shift')) / 1000,
  };
}

type Timing = 'first-contentful-paint' | 'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift';

/** Lighthouse's report, with the properties that this file reads. */
interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: { readonly [Name in (typeof categories)[number]]: { readonly score: number } };
  readonly audits: { readonly [Name in Timing]: { readonly numericValue: number } };
}

/** Repeats a measurement once if it fails, because Lighthouse occasionally misses the start of a trace. */
async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}

async function audit(url: string): Promise<Report> {
  const { stdout } = await run(
    'npx',
    [
      '--yes',
      `lighthouse@${version}`,
      url,
      '--quiet',
      '--output=json',
      '--output-path=stdout',
      `--only-categories=${categories.join(',')}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage',
    ],
    { env: { ...process.env, CHROME_PATH: findChromium({ excludeHeadlessShell: true }) }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Report; // the cast is safe, because the pinned version reports in this format
}
