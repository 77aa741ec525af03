import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/**
 * Attribute of the focus sentinel in Fluent's arrow-key groups. The sentinel immediately forwards the focus, which axe
 * cannot detect (tabster#288). Accessibility Insights ignores it too.
 */
const sentinel = 'data-tabster-dummy';
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Tests a page against WCAG 2.2 AA. Returns the axe violations, one line each. Runs axe through the debugger protocol,
 * because the page's CSP blocks foreign scripts. If a page in development reloads meanwhile, tests the new page.
 */
export async function findAccessibilityProblems(page: Page, loads = 3): Promise<readonly string[]> {
  try {
    return await runAxe(page);
  } catch (error) {
    if (
      loads === 0 ||
      !(error instanceof Error && /navigated|context was destroyed|axe is not defined/.test(error.message))
    )
      throw error;
    await page.getByRole('heading').first().waitFor();
    return findAccessibilityProblems(page, loads - 1);
  }
}

/**
 * Expects no axe violations on a small phone, and no horizontal scrolling on a small phone and a desktop.
 * `every-page.spec.ts` runs axe on a desktop too.
 */
export async function expectAccessible(page: Page, axe = () => findAccessibilityProblems(page)): Promise<void> {
  const heading = await page.getByRole('heading', { level: 1 }).last().innerText();
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    expect.soft(scrollWidth, `${heading} at ${width}`).toBeLessThanOrEqual(width);
  }
  expect.soft(await axe(), heading).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });
}

async function runAxe(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  // Waits several seconds at most for running animations: during a fade, colours have too little contrast.
  const settled =
    'Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < 5_000).map((animation) => animation.finished.catch(() => null)))';
  // Violations identify their element by HTML, because computing selectors would take a quarter of the run time.
  const run = `${settled}.then(() => axe.run(document, { runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], selectors: false })).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
    nodes.filter(({ html }) => id !== 'aria-hidden-focus' || !/^<i [^>]*${sentinel}/.test(html)).map(({ html, failureSummary }) => id + ': ' + help + ' ' + html + ' ' + failureSummary)))`;
  const { result: known } = await session.send('Runtime.evaluate', { expression: 'typeof axe === "object"' });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: known.value === true ? run : `${await source};${run}`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as readonly string[]; // the cast is safe, because the expression returns strings
}
