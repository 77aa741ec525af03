import type { Page } from '@playwright/test';

/** Shifts the clock of a browser from the next page on. */
export async function skewClock(page: Page, byMs: number): Promise<void> {
  await page.addInitScript((ms) => {
    const RealDate = Date;
    globalThis.Date = new Proxy(RealDate, {
      apply: () => new RealDate(RealDate.now() + ms).toString(),
      construct: (target, given: [number?]) =>
        given.length === 0 ? new target(target.now() + ms) : new target(...(given as [number])),
      get: (target, name) => (name === 'now' ? () => target.now() + ms : Reflect.get(target, name)),
    });
  }, byMs);
}
