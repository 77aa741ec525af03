import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '../../src/cli/testing/find-chromium.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { buildHandwritten } from './build-pages.ts';
import { PAGE_FORMS } from './forms.ts';
import { median } from './median.ts';
import { openSite } from './site.ts';

const run = promisify(execFile);

/** Fetched by npx when it is needed: 185 MB that no installation of the portal should carry. */
const version = '13.5.0';
const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const paths = ['/', '/login', '/registro', '/ayuda'];

/** Scores of 0 to 100 of one page, the median of its runs. */
export type PageScores = { readonly page: string } & { readonly [Name in (typeof categories)[number]]: number } & {
  /** Milliseconds to the first and the largest contentful paint and of a blocked main thread, on Lighthouse's simulated phone. */
  readonly fcp: number;
  readonly lcp: number;
  readonly blocked: number;
  /** Cumulative layout shift; below 0.1 nobody minds. */
  readonly shift: number;
  /** How fast the machine was, by Lighthouse's own measure: some 1,500 and more is a computer, 500 a cheap phone. */
  readonly machine: number;
  /** A page written by hand with the same controls in the same run; null where the page is no form. */
  readonly handwritten: Pick<PageScores, 'performance' | 'lcp' | 'blocked'> | null;
};

/** Measures pages with Lighthouse's mobile preset and the system's Chromium against a real server, forms in turn with those written by hand. */
export async function measurePages(runs: number): Promise<readonly PageScores[]> {
  const folder = await mkdtemp(join(tmpdir(), 'handwritten-'));
  await buildHandwritten(Object.values(PAGE_FORMS), folder);
  const site = await openSite(folder);
  const portal = await startPortal();
  try {
    const scores: PageScores[] = [];
    for (const path of paths) {
      const form = PAGE_FORMS[path];
      const ours: Report[] = [];
      const byHand: Report[] = [];
      for (let count = 0; count < runs; count += 1) {
        ours.push(await tried(() => audit(portal.url + path)));
        if (form) byHand.push(await tried(() => audit(`${site.url}/${form.id}.html`)));
      }
      scores.push({
        page: path,
        ...scoresOf(ours),
        machine: Math.round(median([...ours, ...byHand].map(({ environment }) => environment.benchmarkIndex))),
        handwritten: form ? scoresOf(byHand) : null,
      });
    }
    return scores;
  } finally {
    await portal.stop();
    site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function scoresOf(reports: readonly Report[]): Omit<PageScores, 'page' | 'machine' | 'handwritten'> {
  const of = (pick: (report: Report) => number) => median(reports.map(pick));
  const score = (name: (typeof categories)[number]) => Math.round(of(({ categories: all }) => all[name].score * 100));
  const timing = (name: Timing) => of(({ audits }) => audits[name].numericValue);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    fcp: Math.round(timing('first-contentful-paint')),
    lcp: Math.round(timing('largest-contentful-paint')),
    blocked: Math.round(timing('total-blocking-time')),
    shift: Math.round(1000 * timing('cumulative-layout-shift')) / 1000,
  };
}

type Timing = 'first-contentful-paint' | 'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift';

/** The part of Lighthouse's report that is read. */
interface Report {
  readonly environment: { readonly benchmarkIndex: number };
  readonly categories: { readonly [Name in (typeof categories)[number]]: { readonly score: number } };
  readonly audits: { readonly [Name in Timing]: { readonly numericValue: number } };
}

/** Lighthouse now and then loses the start of a trace, and asks to be run again: once. */
async function tried<T>(work: () => Promise<T>): Promise<T> {
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
    { env: { ...process.env, CHROME_PATH: findChromium({ whole: true }) }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout) as Report; // the format of the pinned version
}
