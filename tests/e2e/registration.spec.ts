import type { Page } from '@playwright/test';
import { linkIn } from './support/outbox.ts';
import { expect, test } from './support/fixtures.ts';

/** The sample citizen who stands in the identity registry and has no account. */
const person = { name: 'Juan', second: 'Martín', surname: 'Rodríguez', secondSurname: 'Silva', document: '38712057' };
const email = 'juan.rodriguez@example.com';
const password = 'cuatro-termos-de-agua';

test('[REG-04 REG-07 ACT-02 LOG-05 SES-04] from the form to an active, signed-in citizen and out again', async ({ page, mail, axe }) => {
  await page.goto('/registro');
  await fillRegistration(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page).toHaveURL(/\/registro\/exito$/);
  await expect(page.getByText(email)).toBeVisible();
  expect(await axe()).toEqual([]);

  await page.goto(linkIn(await mail(email), 'uuid='));
  await expect(page.getByRole('button', { name: 'Activar cuenta' })).toBeVisible();
  expect(page.url()).not.toContain('uuid');
  await page.getByRole('button', { name: 'Activar cuenta' }).click();
  await expect(page.getByRole('heading', { name: 'Tu cuenta fue activada' })).toBeVisible();

  await page.goto('/login');
  await page.getByRole('textbox').first().fill(person.document);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: /Continuar|Ingresar|Iniciar sesión/ }).click();
  await expect(page.getByRole('link', { name: /Cerrar sesión|Salir/ })).toBeVisible();

  await page.goto('/seguridad');
  await expect(page.getByText(/Juan/).first()).toBeVisible();
  expect(await axe()).toEqual([]);

  await page.getByRole('link', { name: /Cerrar sesión|Salir/ }).click();
  await expect(page.getByRole('link', { name: 'Registrate' }).first()).toBeVisible({ timeout: 20_000 });
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  for (const secret of [password, person.document]) expect(stored).not.toContain(secret);
});

async function fillRegistration(page: Page): Promise<void> {
  await page.getByLabel('Primer nombre').fill(person.name);
  await page.getByLabel('Segundo nombre').fill(person.second);
  await page.getByLabel('Primer apellido').fill(person.surname);
  await page.getByLabel('Segundo apellido').fill(person.secondSurname);
  await page.getByLabel('Número de documento').fill(person.document);
  await page.getByLabel('Correo electrónico', { exact: true }).fill(email);
  await page.getByLabel('Repetir correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByLabel('Repetir contraseña').fill(password);
  await page.getByLabel(/Acepto los términos/).check();
  await page.getByRole('checkbox', { name: 'No soy un robot' }).click();
  await expect(page.getByRole('button', { name: 'Continuar' })).not.toHaveAttribute('aria-disabled', 'true');
}
