import type { Page } from '@playwright/test';

/** A text that moved while the page loaded, or a layout shift reported by the browser. */
export type LayoutMovement = string;

/**
 * Observes layout movement in the next documents of a page. The returned function lists the movements since the
 * document was opened: layout shifts with their score, and visible texts whose position changed.
 */
export async function recordLayoutMovements(page: Page): Promise<() => Promise<readonly LayoutMovement[]>> {
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number;
          sources: readonly { node: Node | null }[];
        };
        const nodes = sources.map(({ node }) => `${node?.nodeName} "${node?.textContent?.trim().slice(0, 40)}"`);
        if (value > 0) moved.push(`layout shift of ${value} at ${Math.round(entry.startTime)} ms: ${nodes.join(', ')}`);
      }
    }).observe({ type: 'layout-shift', buffered: true });
    const places = new Map<Node, number>();
    const range = document.createRange();
    let frames = 0;
    const look = (): void => {
      frames += 1;
      if (frames === 20) Object.assign(window, { isRendered: true });
      const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (text.nodeValue?.trim() === '' || !text.parentElement?.checkVisibility({ visibilityProperty: true }))
          continue;
        range.selectNodeContents(text);
        const { top, width } = range.getBoundingClientRect();
        const before = places.get(text);
        if (width > 1 && before !== undefined && before >= 0 && before < innerHeight && Math.abs(top - before) >= 1)
          moved.push(`"${text.nodeValue?.trim().slice(0, 40)}" from ${Math.round(before)} to ${Math.round(top)} px`);
        if (width > 1) places.set(text, top);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  return () =>
    page.evaluate(() => {
      const { moved, isRendered } = window as unknown as { moved: readonly string[]; isRendered?: true };
      return isRendered ? moved : ['The browser did not render the page.'];
    });
}
