import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });

/** Records the names of clicked elements, and prevents navigation. */
async function watchClicks(page: Page): Promise<void> {
  await page.evaluate(() => {
    addEventListener(
      'click',
      (event) => {
        if (!(event.target instanceof Element)) return;
        (window as unknown as { clicked: string[] }).clicked.push(
          event.target.closest('a, button, label, input, select, summary')?.getAttribute('data-press') ?? '',
        );
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      true,
    );
  });
}

/** Marks the elements after a field that can be pressed. Returns their number. */
function markPressable(page: Page, field: string): Promise<number> {
  return page.evaluate((name) => {
    for (const marked of document.querySelectorAll('[data-press]')) marked.removeAttribute('data-press');
    const control = document.querySelector(`main [name="${name}"]`);
    const shown = [...document.querySelectorAll('main :is(a, button, label, input, select, summary)')].filter(
      (element) =>
        control !== null &&
        element.checkVisibility() &&
        element.getBoundingClientRect().width > 8 &&
        control.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING &&
        !element.contains(control),
    );
    shown.forEach((element, index) => element.setAttribute('data-press', String(index)));
    return shown.length;
  }, field);
}

for (const [address, field, wrong] of [
  ['/login', 'username', '1'],
  ['/registro', 'numero_documento', '1'],
  ['/contacto', 'email', 'ana'],
] as const)
  test(`[ENG-17] ${address} handles the first press of each control by mouse and finger after an empty and a wrong field`, async ({
    page,
  }) => {
    await page.goto(address);
    const control = page.locator(`main [name="${field}"]`);
    await watchClicks(page);
    const session = await page.context().newCDPSession(page);
    for (const typed of ['', wrong]) {
      await control.fill(typed);
      const count = await markPressable(page, field);
      for (const pointer of ['mouse', 'finger'] as const) {
        const pressed = new Set<number>();
        for (let index = 0; index < count; index += 1) {
          await page.evaluate(() => Object.assign(window, { clicked: [] }));
          await control.fill(typed === '' ? '' : `${typed}${index % 2 === 0 ? '' : typed}`); // a changed value removes the error message
          await control.focus();
          const target = page.locator(`[data-press="${index}"]`);
          await target.scrollIntoViewIfNeeded();
          const box = await target.boundingBox();
          if (box === null) throw new Error(`nothing to press at ${index}`);
          const [x, y] = [box.x + Math.min(box.width / 2, 12), box.y + box.height / 2];
          const hit = await page.evaluate(
            ([left, top]) =>
              document
                .elementFromPoint(left ?? 0, top ?? 0)
                ?.closest('[data-press]')
                ?.getAttribute('data-press'),
            [x, y],
          );
          if (hit !== String(index)) continue; // skips this target, because another target covers it and is tested at its own index
          pressed.add(index);
          if (pointer === 'mouse') {
            await page.mouse.move(x, y);
            await page.mouse.down();
            await page.waitForTimeout(70);
            await page.mouse.up();
          } else {
            await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
            await page.waitForTimeout(70);
            await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
          }
          await expect
            .poll(() => page.evaluate(() => (window as unknown as { clicked: string[] }).clicked.at(-1)))
            .toBe(String(index));
        }
        expect(pressed.size, `${pointer} after '${typed}'`).toBeGreaterThan(Math.max(3, count / 2));
      }
    }
  });
