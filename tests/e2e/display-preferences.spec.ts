import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { completeStepsBefore, createForeigner } from './support/registration.ts';

const readStyle = (page: Page, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

test('[INI-12] at twice the text size, no text is cut off or stays small', async ({ page }) => {
  const person = createForeigner();
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const path of ['/registro', '/feedback', '/', '/ayuda']) {
    await page.goto(path);
    await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
    if (path === '/registro') {
      await completeStepsBefore(page, person, 'contraseña');
      await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
      await page.getByRole('checkbox', { name: 'No soy un robot' }).click();
      await expect(page.getByText('Verificación completa')).toBeVisible();
    }
    const found = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('#root *')].flatMap((element) => {
        const style = getComputedStyle(element);
        const text = [...element.childNodes].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        );
        if (
          !element.checkVisibility() ||
          element.closest('.visually-hidden') ||
          style.clipPath !== 'none' ||
          element.tagName === 'OPTION'
        )
          return [];
        const small = text && Number.parseFloat(style.fontSize) < 20;
        const cut =
          (text || element.matches('input:not([type=checkbox], [type=radio]), select')) &&
          element.clientHeight > 0 &&
          element.scrollHeight > element.clientHeight + 2 &&
          style.overflowY !== 'visible';
        return small || cut ? [`${small ? 'small' : 'cut'}: ${element.outerHTML.slice(0, 120)}`] : [];
      }),
    );
    expect.soft(found, path).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(1280);
  }
});

test('[INI-12] at twice the text size on a phone, no line breaks within a word', async ({ page, portal }) => {
  const person = createForeigner();
  await createAccount(portal, person);
  await page.setViewportSize({ width: 360, height: 740 });
  const expectWholeWords = async (path: string) => {
    await page.goto(path);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    await expect(page.getByText('Cargando...')).toHaveCount(0);
    expect.soft(await listBrokenWords(page), path).toEqual([]);
    expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
  };
  for (const path of ['/', '/ayuda', '/metodos-disponibles-diferencias', '/terminos-y-condiciones', '/registro'])
    await expectWholeWords(path);
  await openSignedIn(page, portal, person, '/');
  for (const path of ['/', '/seguridad', '/seguridad/mis-datos']) await expectWholeWords(path);
});

/** Lists the visible words that continue on a second line. Ignores addresses, and breaks after a hyphen or a slash. */
function listBrokenWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (text.parentElement?.checkVisibility({ visibilityProperty: true }) !== true) continue;
      for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/[^\s/-]+[/-]?/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (range.getClientRects().length > 1 && !word.includes('@')) found.push(word);
      }
    }
    return found;
  });
}

test('[INI-12] forced colours distinguish the buttons and the strength meter, and a print has a white background', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  const look = async (selector: string) => [
    await readStyle(page, selector, 'background-color'),
    await readStyle(page, selector, 'color'),
  ];
  const [primary, secondary] = [await look('main .button-primary'), await look('main .button:not(.button-primary)')];
  expect(primary[0]).not.toBe(secondary[0]);
  await page.goto('/registro');
  await expect(page.locator('main .button-primary')).toHaveAttribute('aria-disabled', 'true');
  expect(await look('main .button-primary')).not.toEqual(primary);
  expect(await readStyle(page, 'main .button-primary', 'border-style')).toBe('dashed');
  await completeStepsBefore(page, createForeigner(), 'contraseña');
  await page.getByLabel('Contraseña', { exact: true }).fill('siete-medialunas');
  const meter = page.getByRole('meter');
  expect(await meter.locator('div').evaluate((bar) => getComputedStyle(bar).backgroundColor)).not.toBe(
    await readStyle(page, 'main', 'background-color'),
  );
  expect(await meter.evaluate((track) => getComputedStyle(track).borderTopStyle)).toBe('solid');
  await page.emulateMedia({ forcedColors: 'none', media: 'print' });
  expect(await readStyle(page, '.screen', 'break-inside'), 'a form may be split across printed pages').toBe('auto');
  expect(await readStyle(page, 'body', 'background-color')).toBe('rgb(255, 255, 255)');
});

test('[INI-12] dark mode keeps a hovered button and the strength meter visible, and high contrast darkens help texts', async ({
  page,
  axe,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/registro');
  await completeStepsBefore(page, createForeigner(), 'contraseña');
  const button = page.getByRole('button', { name: 'Mostrar contraseña' }).first();
  const ink = await button.evaluate((element) => getComputedStyle(element).color);
  await button.hover();
  await expect.poll(() => button.evaluate((element) => getComputedStyle(element).color)).not.toBe(ink); // waits until the new colour applies
  await page.waitForTimeout(300); // waits for the end of the animation
  expect(await axe()).toEqual([]);
  const { width, height } = (await button.boundingBox()) ?? { width: 0, height: 0 };
  expect([width >= 44, height >= 44], `${width}x${height}`).toEqual([true, true]);
  await page.getByLabel('Contraseña', { exact: true }).fill('siete');
  const track = (property: string) => readStyle(page, '[role=meter]', property);
  expect(await track('background-color')).not.toBe(await readStyle(page, '.screen', 'background-color'));
  const light = (/\d+, \d+, \d+/.exec(await track('background-color'))?.[0] ?? '').split(', ').map(Number);
  expect(Math.max(...light)).toBeLessThan(128);

  await page.emulateMedia({ colorScheme: 'light', contrast: 'more' });
  expect(await readStyle(page, '.form-help', 'color')).toBe(await readStyle(page, 'body', 'color'));
  expect(await readStyle(page, '.screen', 'border-width')).toBe('2px');
  expect(await axe()).toEqual([]);
});

test('[INI-12] the menu button is one line at 320 px, even with text twice the size', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/');
  const lines = () =>
    page.getByRole('button', { name: 'Menú' }).evaluate((button) => {
      const text = document.createRange();
      text.selectNodeContents(button);
      return text.getClientRects().length;
    });
  expect(await lines()).toBe(1);
  await page.evaluate(() => (document.documentElement.style.fontSize = '32px'));
  expect(await lines()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('[INI-12] forms ask for the country and the type of a document in one row on tablets, and below each other on phones', async ({
  page,
}) => {
  for (const path of [
    '/registro',
    '/contraseña/restablecer',
    '/registro/reenviar-link-activacion',
    '/contacto-videollamada',
  ]) {
    await page.goto(encodeURI(path));
    for (const [width, lines] of [
      [768, 1],
      [360, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const tops = await page
        .getByLabel(/^(País emisor del|Tipo de) documento/)
        .evaluateAll((fields) => fields.map((field) => field.getBoundingClientRect().top));
      expect.soft([tops.length, new Set(tops).size], `${path} at ${width} px`).toEqual([2, lines]);
    }
  }
});

test('[INI-12] the layout switches from phone to desktop at 768 px', async ({ page }) => {
  await page.goto('/ayuda');
  const categories = page.locator('.faq-columns > section');
  for (const [width, narrow] of [
    [767, true],
    [768, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole('button', { name: 'Menú' }), `${width} px`).toBeVisible({ visible: narrow });
    const edges = await categories.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
    expect(new Set(edges).size === 1, `${width} px`).toBe(narrow);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
