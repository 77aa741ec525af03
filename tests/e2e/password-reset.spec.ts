import { createAccount } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { findLink } from './support/outbox.ts';
import { fillDocument, completeDocumentStep, createForeigner, solveCaptcha } from './support/registration.ts';

test('[CLAVE-01 CLAVE-02 CLAVE-03 RUTA-05 SES-02] the mailed link sets a new password for a forgotten one, and works once', async ({
  page,
  portal,
  mail,
  axe,
}) => {
  test.setTimeout(120_000);
  const person = createForeigner();
  await createAccount(portal, person);

  await page.goto('/contraseña/restablecer');
  await expect(page.getByRole('heading', { name: 'Reestablece tu contraseña' })).toBeVisible();
  expect(await axe()).toEqual([]);
  await fillDocument(page, person);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('heading', { name: 'Revisá tu correo electrónico' })).toBeVisible();
  await expect(page.locator('main')).not.toContainText(person.email);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Revisá tu correo electrónico' })).toBeVisible();

  const link = findLink(await mail(person.email, 2), 'token=');
  expect(link).toContain('/contrase%C3%B1a/restablecer/nueva-contrase%C3%B1a');
  await page.goto(link);
  await expect(page.getByLabel('Nueva contraseña', { exact: true })).toBeVisible();
  expect(page.url()).not.toContain('token');
  await page.reload();
  const password = 'siete-medialunas-dulces';
  await page.getByLabel('Nueva contraseña', { exact: true }).fill(person.document + 'x');
  await page.getByLabel('Nueva contraseña', { exact: true }).blur();
  await page.getByLabel('Repetir nueva contraseña').fill('otra cosa');
  await page.getByLabel('Repetir nueva contraseña').blur();
  await expect(page.getByText('Las contraseñas deben ser iguales')).toBeVisible();
  await page.getByLabel('Nueva contraseña', { exact: true }).fill(password);
  await page.getByLabel('Repetir nueva contraseña').fill(password);
  await page.getByRole('button', { name: 'Cambiar contraseña' }).click();
  await expect(page.getByRole('heading', { name: 'Tu contraseña se modificó' })).toBeVisible();
  await mail(person.email, 3);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Tu contraseña se modificó' })).toBeVisible();

  await page.goto('/login');
  await completeDocumentStep(page, person);
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page.getByRole('heading', { name: 'Activá el doble factor de autenticación' })).toBeVisible();

  await page.goto('/logout-process');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Ups, ocurrió un problema...' })).toBeVisible();
  await page.getByRole('button', { name: 'Solicitar vínculo nuevo' }).click();
  await expect(page.getByRole('heading', { name: 'Reestablece tu contraseña' })).toBeVisible();
});
