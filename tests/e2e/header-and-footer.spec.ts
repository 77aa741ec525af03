import { expect, test } from './support/fixtures.ts';
import {
  activeSampleCitizen,
  createForeigner,
  fillDocument,
  fillRegistration,
  registrationSteps,
} from './support/registration.ts';
import { nonDefaultSettings } from './support/other-settings.ts';
import { requestSharedPortal } from './support/shared-portals.ts';

const phone = { width: 360, height: 640 };

test.describe('portal at 360 px', () => {
  test.use({ viewport: phone });

  test('has a header of at most 48 px, whose menu button works with the keyboard', async ({ page }) => {
    await page.goto('/login');
    const header = page.getByRole('banner');
    expect((await page.locator('.header').boundingBox())?.height).toBeLessThanOrEqual(48);
    const link = header.getByRole('link', { name: 'Registrate' });
    await expect(link).toBeHidden();
    const menu = header.getByRole('button', { name: 'Menú' });
    await menu.focus();
    await page.keyboard.press('Enter');
    await expect(link).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(link).toBeHidden();
    await expect(menu).toBeFocused();
    await menu.click();
    await expect(link).toBeVisible();
    await menu.click();
    await expect(link, 'the menu button is not covered and closes the menu').toBeHidden();
    await menu.click();
    await link.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Registrate' })).toBeVisible();
    await expect(link).toBeHidden();
  });

  test('fits the sign-in on one screen of 360x640, with buttons as wide as the field', async ({ page }) => {
    await page.goto('/login');
    const field = page.getByLabel('Número de cédula');
    await expect(field).toBeVisible();
    const width = (await field.boundingBox())?.width ?? 0;
    for (const name of ['Continuar', 'Iniciar sesión con llave de acceso']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect(Math.abs((box?.width ?? 0) - width)).toBeLessThanOrEqual(2);
    }
    const last = await page
      .getByRole('main')
      .getByRole('link', { name: '¿Todavía no tenés cuenta? Registrate' })
      .boundingBox();
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  });

  test('[REG-01] fits each step of the registration on one screen of 360x640', async ({ page }) => {
    await page.goto('/registro');
    const heights: unknown[] = [];
    for (const [step, fill] of Object.entries(registrationSteps)) {
      const title = page.getByRole('heading', { level: 1 });
      await expect(title).toBeVisible();
      heights.push([step, await page.evaluate(() => document.documentElement.scrollHeight)]);
      if (step === 'contraseña') break;
      await fill(page, createForeigner());
      const before = (await title.textContent()) ?? '';
      await page.getByRole('button', { name: 'Continuar' }).click();
      await expect(title).not.toHaveText(before);
    }
    expect(heights).toEqual(Object.keys(registrationSteps).map((step) => [step, phone.height]));
  });

  test('scrolls to the top of the next step, and reserves no space below the button of an incomplete step', async ({
    page,
  }) => {
    await page.goto('/registro');
    await fillDocument(page, activeSampleCitizen);
    const next = page.getByRole('button', { name: 'Continuar' });
    await page.evaluate(() => window.scrollTo(0, 80));
    await next.click();
    await expect(page.getByRole('heading', { level: 1, name: 'Tu nombre' })).toBeFocused();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await next.press('Enter');
    await expect(page.getByRole('group', { name: 'Hay datos para corregir' })).toBeFocused();
    const actions = await page.locator('.screen-actions').boundingBox();
    expect(actions?.height).toBe((await next.boundingBox())?.height);
  });
});

test('a wide header shows its links without a menu button', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Registrate' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Menú' })).toBeHidden();
});

test('the banner names the official address, and the footer names the agency and fits one line below a form', async ({
  page,
  baseURL,
  axe,
}) => {
  await page.goto('/');
  const strip = page.getByText('Sitio oficial de Uruguay');
  await strip.click();
  await expect(page.locator('.strip')).toContainText(`es https://${new URL(baseURL!).host}.`);
  expect(await axe(), 'no axe problems in the strip').toEqual([]);
  const portal = await requestSharedPortal(nonDefaultSettings);
  await page.setViewportSize(phone);
  await page.goto(`${portal.url}/login`);
  expect((await page.locator('.header').boundingBox())?.height).toBeLessThanOrEqual(64);
  expect((await page.locator('.strip summary').boundingBox())?.height).toBeGreaterThanOrEqual(24);
  const isInSight = async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    const next = await page.getByRole('button', { name: 'Continuar' }).boundingBox();
    expect((next?.y ?? phone.height) + (next?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  };
  await isInSight();
  await page.goto(`${portal.url}/registro`);
  await fillRegistration(page, createForeigner());
  await isInSight(); // the button must also be visible on the last step, whose form is the longest
  await strip.click();
  await expect(page.getByText('El único sitio de Usuario digital es https://cuenta.gub.uy.')).toBeVisible();
  const privacy = page.getByRole('contentinfo').getByRole('link', { name: 'Política de privacidad' });
  expect(
    (await page.getByRole('contentinfo').boundingBox())?.height,
    'height of the footer below a form: one line',
  ).toBeLessThanOrEqual(48);
  await expect(privacy).toBeHidden();
  await page.getByRole('button', { name: 'Ayuda e información' }).click();
  await expect(privacy).toBeVisible();
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Agencia de la Cuenta' })).toHaveAttribute(
    'href',
    'https://agencia.gub.uy/',
  );
  await page.setViewportSize({ width: 768, height: 1024 });
  expect(
    (await page.getByRole('contentinfo').boundingBox())?.height,
    'height of the footer at 768 px: one line',
  ).toBeLessThanOrEqual(48);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${portal.url}/login`);
  await expect(privacy).toBeVisible();
  expect(
    (await page.getByRole('contentinfo').boundingBox())?.height,
    'height of the footer at 1280 px: one row',
  ).toBeLessThanOrEqual(60);
});

test('the logo in the header and the icon of the tab are SVG files that the portal serves', async ({
  page,
  request,
}) => {
  await page.goto('/');
  for (const address of [
    await page.locator('.brand img').getAttribute('src'),
    await page.locator('link[rel=icon]').getAttribute('href'),
  ]) {
    const answer = await request.get(address ?? '');
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/svg+xml; charset=utf-8']);
  }
});
