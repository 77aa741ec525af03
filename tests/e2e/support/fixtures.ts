import { test as base } from '@playwright/test';
import { findAccessibilityProblems } from './axe.ts';
import { waitForMail, type Mail } from './outbox.ts';
import type { OwnPortal, Portal } from './portal.ts';
import { requestSharedPortal } from './shared-portals.ts';

export { expect } from '@playwright/test';

interface Parts {
  readonly portal: Portal;
  /** Additional settings of the server for all tests of a file: `test.use({ settings: … })`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Allows a console error that the test provokes, e.g. by a rejected request. */
  readonly allowProblem: (pattern: RegExp) => void;
  /** Returns the axe violations of the current page. */
  readonly axe: () => Promise<readonly string[]>;
  /** Waits until an e-mail address has received `count` mails. Returns the latest one. */
  readonly mail: (to: string, count?: number) => Promise<Mail>;
}

/** Console error that Chromium logs for every 4xx response, even if the page handles it. */
const refusedCall = /^Failed to load resource: the server responded with a status of 4\d\d/;

/**
 * Test with the shared server for its settings. It fails on a CSP violation, an uncaught error or a console error in
 * any tab. Transitions between screens are disabled, because each click would wait for them. `test.use({
 * contextOptions: {} })` enables them. No fixture has worker scope, because files with different worker fixtures would
 * each start a worker and a browser.
 */
export const test = base.extend<Parts & { problems: RegExp[] }>({
  settings: [{}, { option: true }],
  portal: [async ({ settings }, use) => use(await requestSharedPortal(settings)), { timeout: 90_000 }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the parameter to be destructured
  contextOptions: async ({}, use) => use({ reducedMotion: 'reduce' }),
  baseURL: async ({ portal }, use) => use(portal.url),
  // oxlint-disable-next-line no-empty-pattern -- Playwright requires the parameter to be destructured
  problems: async ({}, use) => use([refusedCall]),
  allowProblem: async ({ problems }, use) => use((pattern) => problems.push(pattern)),
  context: async ({ context, problems }, use) => {
    const found: string[] = [];
    context.on('weberror', (error) => found.push(String(error.error())));
    context.on('console', (message) => {
      if (message.type() === 'error') found.push(message.text());
    });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
    await use(context);
    const unexpected = found.filter((problem) => !problems.some((allowed) => allowed.test(problem)));
    base.expect(unexpected, 'console errors and policy violations').toEqual([]);
  },
  // Waits in each navigation until the live page has replaced the prerendered one, except on information pages. To test
  // the prerendered page, navigate with `waitUntil: 'commit'`.
  page: async ({ page }, use) => {
    const drawn = async <T extends { waitUntil?: string }, R>(options: T | undefined, response: R): Promise<R> => {
      if (options?.waitUntil !== 'commit')
        await page.locator('#prerendered:not([data-whole])').waitFor({ state: 'detached' });
      return response;
    };
    const { goto, reload, goBack, goForward } = page;
    page.goto = async (url, options) => drawn(options, await goto.call(page, url, options));
    page.reload = async (options) => drawn(options, await reload.call(page, options));
    page.goBack = async (options) => drawn(options, await goBack.call(page, options));
    page.goForward = async (options) => drawn(options, await goForward.call(page, options));
    await use(page);
  },
  axe: async ({ page }, use) => use(() => findAccessibilityProblems(page)),
  mail: async ({ portal }, use) => use((to, count) => waitForMail(portal.outboxUrl, to, count)),
});

/**
 * Creates a test with a portal and other resources for one file. The first test opens them. After the last test, the
 * portal closes before the other resources.
 */
export function withOwnPortal<Own extends { readonly portal: OwnPortal }>(
  open: () => Promise<Own & { readonly close?: () => Promise<void> }>,
) {
  let opening: ReturnType<typeof open> | undefined;
  const withOwn = test.extend<{ own: Own }>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires the parameter to be destructured
    own: [async ({}, use) => use(await (opening ??= open())), { timeout: 120_000 }],
    portal: async ({ own: { portal } }, use) => use(portal),
  });
  withOwn.afterAll(async () => {
    const own = await opening;
    await own?.portal.stop();
    await own?.close?.();
  });
  return withOwn;
}
