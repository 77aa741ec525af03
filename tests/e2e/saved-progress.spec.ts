import type { Browser, Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import type { Portal } from './support/portal.ts';
import { createForeigner, createSampleCitizen, type Person } from './support/registration.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const resumed = (page: Page) =>
  page.getByText('Seguís donde dejaste: lo que habías completado quedó guardado en tu cuenta.');
const again = (page: Page) => page.getByRole('button', { name: 'Empezar de nuevo' });

/** Signs in and opens a path in a new browser context. */
async function openOnOtherDevice(browser: Browser, citizen: Person, address: string, portal: Portal): Promise<Page> {
  const context = await browser.newContext({
    baseURL: portal.url,
    viewport: { width: 360, height: 780 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await openSignedIn(page, portal, citizen, address);
  return page;
}

test('[ENG-08] a support booking continues on another device, and leaves no saved progress once it was booked and cancelled', async ({
  page,
  portal,
  browser,
}) => {
  test.setTimeout(120_000);
  const citizen = createForeigner();
  await createAccount(portal, citizen);
  await openSignedIn(page, portal, citizen, '/contacto-videollamada');
  await expect(resumed(page)).toHaveCount(0);
  await page.getByLabel('Número de teléfono').fill('+598 99 123 456');
  await page.getByLabel('Asunto').selectOption({ label: 'Firma digital' });
  await page.getByLabel('Motivo de la consulta').fill('No puedo firmar.');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(heading(page, 'Elegí día y hora')).toBeVisible();
  await page.getByRole('group', { name: /^Hora/ }).getByRole('radio').first().check();
  const saved = page.waitForResponse(
    (response) => response.url().includes('/rest/borradores/') && response.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Continuar' }).click();
  const sent = (await saved).request().postData() ?? '';
  expect(sent).toContain('No puedo firmar.');
  expect(sent, 'known data of the account is not saved').not.toContain(citizen.email);

  const other = await openOnOtherDevice(browser, citizen, '/contacto-videollamada', portal);
  await expect(heading(other, 'Confirmá tu videollamada')).toBeVisible();
  await expect(resumed(other)).toBeVisible();
  await expect(other.getByRole('definition').filter({ hasText: /^[a-záé]+ \d+ de [a-z]+$/ })).toBeVisible();
  await expect(other.getByRole('definition').filter({ hasText: citizen.email })).toBeVisible();
  await other.goto('/contacto-videollamada');
  await other.getByRole('button', { name: 'Cambiar Tus datos' }).click();
  await expect(other.getByLabel('Motivo de la consulta')).toHaveValue('No puedo firmar.');
  await other.getByRole('button', { name: 'Continuar' }).click();
  await other.getByRole('button', { name: 'Continuar' }).click();
  await other.getByRole('button', { name: 'Reservar videollamada' }).click();
  await expect(heading(other, 'Falta confirmar tu videollamada')).toBeVisible();
  await other.goto('/contacto-videollamada');
  await other.getByRole('button', { name: 'Cancelar la videollamada' }).click();
  await expect(heading(other, '¿Cancelar tu videollamada?')).toBeVisible();
  await other.getByRole('button', { name: 'Cancelar videollamada' }).click();
  await expect(heading(other, 'Cancelamos tu videollamada')).toBeVisible();
  await other.goto('/contacto-videollamada');
  await expect(other.getByLabel('Correo electrónico'), 'prefilled from the account').toHaveText(citizen.email);
  await expect(other.getByLabel('Motivo de la consulta')).toHaveValue('');
  await expect(resumed(other)).toHaveCount(0);
  await other.context().close();
});

test('[ENG-08] an elevation continues on another device, asks again for the unsaved serial number and can be restarted', async ({
  page,
  portal,
  browser,
  axe,
}) => {
  test.setTimeout(120_000);
  const citizen = createSampleCitizen('Joaquín', 'Ferreira', '54892174');
  await createAccount(portal, citizen);
  const first = await openOnOtherDevice(browser, citizen, '/videollamada', portal);
  await first.getByRole('checkbox', { name: 'Acepto los términos' }).check();
  await first.getByRole('checkbox', { name: /Ley N.º\s18.331/ }).check();
  await first.getByRole('button', { name: 'Continuar' }).click();
  await first.getByLabel('Número de serie de la cédula').fill('V8B7N6');
  await first.getByLabel('Número de teléfono').fill('99123456');
  const saved = first.waitForResponse(
    (response) =>
      response.url().includes('/rest/borradores/elevacion/') &&
      (response.request().postData() ?? '').includes('"fecha"'),
  );
  await first.getByRole('button', { name: 'Continuar' }).click();
  await expect(heading(first, 'Elegí día y hora')).toBeVisible();
  expect((await saved).request().postData()).not.toContain('V8B7N6');
  await first.context().close();

  await page.setViewportSize({ width: 320, height: 800 });
  await openSignedIn(page, portal, citizen, '/videollamada');
  await expect(heading(page, 'Tus datos')).toBeVisible();
  await expect(resumed(page)).toBeVisible();
  await expect(page.getByLabel('Número de serie de la cédula')).toHaveValue('');
  await expect(page.getByLabel('Número de teléfono')).toHaveValue(/99 ?123 ?456/);
  expect(await axe()).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.reload();
  await expect(resumed(page), 'resumed after a reload too').toBeVisible();
  await again(page).press('Enter');
  await expect(heading(page, 'Subí tu nivel por videollamada')).toBeFocused();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(again(page)).toHaveCount(0);
  await page.reload();
  await expect(heading(page, 'Subí tu nivel por videollamada')).toBeVisible();
  await expect(resumed(page)).toHaveCount(0);
});
