import { gzipSync } from 'node:zlib';
import type { Page, Response } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

const kib = 1024;

/**
 * Maximum size of the JavaScript that a page loads before its first control is interactive, in gzipped bytes: a measured
 * size, plus 4 % for `/login` and `/registro`, and plus 10 % for the other pages.
 */
const budgets = [
  { path: '/', limit: 3.6 * kib, first: '#prerendered main a', note: 'the home page' },
  { path: '/ayuda', limit: 3.6 * kib, first: '#prerendered input', note: 'the help page' },
  { path: '/acerca-de', limit: 3.6 * kib, first: '#prerendered main a', note: 'a static page' },
  { path: '/login', limit: 212 * kib, first: '#root form input', note: 'the sign-in page' },
  {
    path: '/registro',
    limit: 214 * kib,
    first: '#root form input',
    note: 'the first registration step',
  },
];

for (const { path, limit, first, note } of budgets) {
  test(`[INI-01] ${note} loads at most ${limit / kib} KB of JavaScript, and requests nothing from another origin`, async ({
    page,
    baseURL,
  }) => {
    const scripts = new Map<string, Response>();
    const foreign: string[] = [];
    page.on('response', (response) => {
      if (response.headers()['content-type']?.includes('javascript')) scripts.set(response.url(), response);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && new URL(request.url()).origin !== baseURL) foreign.push(request.url());
    });
    const needed = await listScriptsUntil(page, path, first);
    const sizes = await Promise.all(
      needed.map(async (url) => {
        const body = await scripts.get(url)?.body();
        if (!body) throw new Error(`no body of ${url}`);
        if (url.includes('/assets/') && body.length > 32 * kib)
          expect(body.toString('utf8', 0, 40), `${url} is not compiled as it arrives`).toMatch(
            /^\/\/# allFunctionsCalledOnLoad\n/,
          );
        return gzipSync(body, { level: 9 }).length;
      }),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    test.info().annotations.push({
      type: 'budget',
      description: `${path}: ${(total / kib).toFixed(1)} KB in ${needed.length} scripts`,
    });
    expect(total).toBeGreaterThan(kib);
    expect(total).toBeLessThanOrEqual(limit);
    await page.waitForLoadState('networkidle');
    expect(foreign).toEqual([]);
  });
}

/** Opens a page. Returns the scripts that were requested before an enabled element matched `selector`. */
async function listScriptsUntil(page: Page, path: string, selector: string): Promise<readonly string[]> {
  await page.addInitScript((wanted) => {
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector(`${wanted}:not(:disabled)`)) return;
      performance.mark('usable');
      observer.disconnect();
    }).observe(document, { childList: true, attributeFilter: ['disabled'], subtree: true });
  }, selector);
  await page.goto(path);
  await page.waitForFunction(() => performance.getEntriesByName('usable').length > 0);
  return page.evaluate(() => {
    const usable = performance.getEntriesByName('usable')[0]?.startTime ?? 0;
    return performance
      .getEntriesByType('resource')
      .filter(({ startTime, name }) => startTime <= usable && new URL(name).pathname.endsWith('.js'))
      .map(({ name }) => name);
  });
}
