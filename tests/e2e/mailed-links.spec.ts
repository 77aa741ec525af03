import type { Page } from '@playwright/test';
import { registerByHttp } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { findLink, readMails } from './support/outbox.ts';
import { activate, fillDocument, createForeigner, solveCaptcha, readLocalStorage } from './support/registration.ts';

const confirmation = 'Si hay una cuenta sin activar con ese documento';
test('[ACT-03] an unknown activation link shows the problem page with a link to the resend form', async ({ page }) => {
  for (const uuid of ['x'.repeat(2000), '../<b>"\u202e %']) {
    await page.goto(`/registro/activar-cuenta?uuid=${encodeURIComponent(uuid)}`);
    await page.getByRole('button', { name: 'Activar cuenta' }).click();
    await expectProblem(page);
  }
  await page.getByRole('button', { name: 'Solicitar vínculo nuevo' }).click();
  await expect(page.getByRole('heading', { name: 'Pedí un nuevo correo de activación' })).toBeVisible();
});

test('[ACT-03] an activation address without a `uuid` shows the problem page', async ({ page }) => {
  await page.goto('/registro/activar-cuenta');
  await expectProblem(page);
  await page.goto('/registro/activar-cuenta/cuenta-activada');
  await expectProblem(page);
});

test('[ACT-01 ACT-02 SES-02] the activation page removes the secret from the address, survives a reload and reports a used link', async ({
  page,
  portal,
  mail,
}) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  const letter = await mail(person.email);
  const link = findLink(letter, 'uuid=');
  const uuid = new URL(link).searchParams.get('uuid') ?? '';
  await page.goto(link);
  const button = page.getByRole('button', { name: 'Activar cuenta' });
  await expect(button).toBeVisible();
  expect(page.url()).not.toContain(uuid);
  expect(await readLocalStorage(page)).not.toContain(uuid);
  await page.reload();
  await expect(button).toBeVisible();
  await button.click();
  await expect(page.getByRole('heading', { name: 'Tu cuenta fue activada' })).toBeVisible();
  await page.goto(link);
  await button.click();
  await expect(page.getByRole('heading', { name: 'Tu cuenta ya estaba activada' })).toBeVisible();
  await expect(page.getByText('Este vínculo ya se había usado')).toBeVisible();
});

test('[ACT-01] the activation shows its progress, and a double click sends one request', async ({
  page,
  portal,
  mail,
}) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  await page.goto(findLink(await mail(person.email), 'uuid='));
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const asked: string[] = [];
  await page.route('**/activate_account/', async (route) => {
    asked.push(route.request().url());
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Activar cuenta' }).dblclick();
  await expect(page.getByText('Activando tu cuenta…')).toBeVisible();
  release();
  await expect(page.getByRole('heading', { name: 'Tu cuenta fue activada' })).toBeVisible();
  expect(asked).toHaveLength(1);
});

test('[ACT-04 ACT-05] the resend form shows the same answer for a known and an unknown document, and mails only the known one', async ({
  page,
  mail,
  portal,
}) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  await mail(person.email);
  const stranger = createForeigner();
  for (const asker of [stranger, person]) {
    await page.goto('/registro/reenviar-link-activacion');
    await fillDocument(page, asker);
    await solveCaptcha(page);
    await page.getByRole('button', { name: 'Reenviar' }).click();
    await expect(page).toHaveURL(/\/reenviar-link-activacion\/exito$/);
    await expect(page.getByText(confirmation)).toBeVisible();
  }
  await activate(page, await mail(person.email, 2));
  expect(await readMails(portal.outboxUrl, stranger.email)).toEqual([]);
});

test('[ACT-04 ACT-06] the resend form validates a Uruguayan number in its field, and Volver returns to the registration', async ({
  page,
}) => {
  await page.goto('/registro');
  await page.getByRole('link', { name: 'Pedir un nuevo correo de activación' }).click();
  const number = page.getByLabel('Número de documento');
  await number.fill('45123785');
  await number.blur();
  await expect(number).toHaveAccessibleDescription(/El documento no es válido\./);
  await page.getByLabel('País emisor del documento').selectOption('ar');
  await expect(number).not.toHaveAccessibleDescription(/El documento no es válido\./);
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(page).toHaveURL(/\/registro$/);
});

async function expectProblem(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Ups, ocurrió un problema...' })).toBeVisible();
  await expect(
    page.getByText(
      'Al parecer el vínculo no existe o expiró y ya no es válido. Para continuar te recomendamos solicitar uno nuevo.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Solicitar vínculo nuevo' })).toBeVisible();
}
