import { test as base } from '@playwright/test';
import { accessibilityProblems } from './axe.ts';
import { waitForMail, type Mail } from './outbox.ts';
import { startPortal, type Portal } from './portal.ts';

export { expect } from '@playwright/test';

interface TestParts {
  /** Lets a test expect a console error that the page must show, e.g. of a refused call. */
  readonly allowProblem: (pattern: RegExp) => void;
  /** What axe finds on the page as it stands. */
  readonly axe: () => Promise<readonly string[]>;
  /** The newest mail to an address, once there are `count`. */
  readonly mail: (to: string, count?: number) => Promise<Mail>;
}

/** Chromium writes a console error for every answer of 4xx, which is no fault of the page. */
const refusedCall = /^Failed to load resource: the server responded with a status of 4\d\d/;

interface WorkerParts {
  readonly portal: Portal;
  /** Settings of the server beside those of every test, for a whole file: `test.use({ settings: … })`. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Test with a server of its own for each worker. A violation of the page's policy, an uncaught error or a console
 * error fails the test in which it happens, in whichever tab. Screens come without their slide, which every click would
 * wait for; `test.use({ contextOptions: {} })` brings it back.
 */
export const test = base.extend<TestParts & { problems: RegExp[] }, WorkerParts>({
  settings: [{}, { option: true, scope: 'worker' }],
  portal: [
    async ({ settings }, use) => {
      const portal = await startPortal(undefined, settings);
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  // eslint-disable-next-line no-empty-pattern -- as above
  contextOptions: async ({}, use) => use({ reducedMotion: 'reduce' }),
  baseURL: async ({ portal }, use) => use(portal.url),
  // eslint-disable-next-line no-empty-pattern -- as above
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
  // What is prerendered gives way to the portal: tests go on with what the portal drew. One that looks at it waits for
  // the commit alone.
  page: async ({ page }, use) => {
    const drawn = async <T extends { waitUntil?: string }, R>(options: T | undefined, response: R): Promise<R> => {
      if (options?.waitUntil !== 'commit') await page.locator('#prerendered').waitFor({ state: 'detached' });
      return response;
    };
    const { goto, reload, goBack, goForward } = page;
    page.goto = async (url, options) => drawn(options, await goto.call(page, url, options));
    page.reload = async (options) => drawn(options, await reload.call(page, options));
    page.goBack = async (options) => drawn(options, await goBack.call(page, options));
    page.goForward = async (options) => drawn(options, await goForward.call(page, options));
    await use(page);
  },
  axe: async ({ page }, use) => use(() => accessibilityProblems(page)),
  mail: async ({ portal }, use) => use((to, count) => waitForMail(portal.outboxUrl, to, count)),
});
