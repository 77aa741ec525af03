import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findChromium } from '../../src/cli/testing/find-chromium.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { median } from './median.ts';

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
};

/** Measures pages with Lighthouse's mobile preset and the system's Chromium against a real server. */
export async function measurePages(runs: number): Promise<readonly PageScores[]> {
  const portal = await startPortal();
  try {
    const scores: PageScores[] = [];
    for (const path of paths) {
      const reports: Report[] = [];
      for (let count = 0; count < runs; count += 1) reports.push(await tried(() => audit(portal.url + path)));
      const of = (pick: (report: Report) => number) => median(reports.map(pick));
      const score = (name: (typeof categories)[number]) =>
        Math.round(of(({ categories: all }) => all[name].score * 100));
      scores.push({
        page: path,
        performance: score('performance'),
        accessibility: score('accessibility'),
        'best-practices': score('best-practices'),
        seo: score('seo'),
        fcp: Math.round(of(({ audits }) => audits['first-contentful-paint'].numericValue)),
        lcp: Math.round(of(({ audits }) => audits['largest-contentful-paint'].numericValue)),
        blocked: Math.round(of(({ audits }) => audits['total-blocking-time'].numericValue)),
        shift: Math.round(1000 * of(({ audits }) => audits['cumulative-layout-shift'].numericValue)) / 1000,
      });
    }
    return scores;
  } finally {
    await portal.stop();
  }
}

type Timing = 'first-contentful-paint' | 'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift';

/** The part of Lighthouse's report that is read. */
interface Report {
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
