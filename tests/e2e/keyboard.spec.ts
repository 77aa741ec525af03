import type { Page } from '@playwright/test';
import { generateSync } from 'otplib';
import { addAuthenticator, createAccount, registerByHttp } from './support/accounts.ts';
import { expect, test } from './support/application.ts';
import { typeByKeyboard as type } from './support/keyboard.ts';
import { findLink } from './support/outbox.ts';
import { createForeigner, createSampleCitizen, readLocalStorage } from './support/registration.ts';

const press = '\n';

/** Expects the focus on the heading of the step. */
const expectFocusOn = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeFocused();

test('[LOG-04 LOG-06 LOG-07 CONS-03 SES-04 INI-02] the sign-in of an application with second factor, consent and logout can be completed with the keyboard', async ({
  page,
  portal,
  application,
}) => {
  const citizen = createSampleCitizen('Nicolás', 'Pérez', '34567822');
  await createAccount(portal, citizen);
  const { secret } = await addAuthenticator(portal, citizen);
  const request = await application.begin();
  await page.goto(request.url.href);
  await type(page.getByLabel('Número de cédula'), `${citizen.document}${press}`);

  await expectFocusOn(page, 'Ingresá tu contraseña');
  await type(page.getByLabel('Contraseña', { exact: true }), `no-es-esta-clave${press}`);
  const password = page.getByLabel('Contraseña', { exact: true });
  await expect(password).toHaveAccessibleDescription(/no son correctos/);
  await expect(password, 'focus on the field with the error').toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(`${citizen.password}${press}`);

  await expectFocusOn(page, 'Ingresá el código de verificación');
  await type(page.getByRole('button', { name: 'Volver' }), press);
  await expectFocusOn(page, 'Ingresá tu contraseña');
  await page.goForward();
  await expectFocusOn(page, 'Ingresá el código de verificación');
  const code = page.getByRole('textbox', { name: 'Código de verificación' });
  await type(code, 'abc');
  await page.keyboard.press('Tab');
  await expect(code).toHaveAccessibleDescription('El código de verificación solo contiene números.');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(`${generateSync({ secret })}${press}`);

  await expect(page.getByRole('heading', { level: 1, name: 'Autorización' })).toBeVisible();
  const allow = page.getByRole('button', { name: 'Permitir' });
  await type(allow, '');
  await expect(allow, 'the focus is visible').toHaveCSS('outline-style', 'solid');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/callback\?code=/);
  expect(await application.claims(request, page.url())).toMatchObject({
    amr: ['urn:iduruguay:am:password', 'urn:iduruguay:am:totp'],
  });

  await page.goto(portal.url);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await type(page.getByRole('link', { name: 'Cerrar sesión' }), press);
  await expect(page.getByText('Cerrando sesión')).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' })).toBeVisible();
  expect(await readLocalStorage(page)).toBe('{}');
  await type(page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' }), press);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Iniciá sesión' }),
    'a new document was loaded',
  ).toBeVisible();
});

test('[ACT-01 ACT-02 ACT-05 RUTA-04 LOG-03] the activation and the start of the first sign-in can be completed with the keyboard', async ({
  page,
  mail,
  portal,
}) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  await page.goto(findLink(await mail(person.email), 'uuid='));
  await expect(page.getByRole('heading', { level: 1, name: 'Un último paso...' })).toBeVisible();
  await type(page.getByRole('button', { name: 'Activar cuenta' }), press);
  await expectFocusOn(page, 'Tu cuenta fue activada');
  await type(page.getByRole('button', { name: 'Empezar' }), press);
  await expectFocusOn(page, 'Iniciá sesión');
});

test('[ACT-04] a new activation mail can be requested with the keyboard', async ({ page, mail, portal }) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  await page.goto('/registro/reenviar-link-activacion');
  await type(page.getByLabel('País emisor del documento'), 'Argentina');
  await type(page.getByLabel('Tipo de documento'), 'Documento nacional');
  await type(page.getByLabel('Número de documento'), person.document);
  await type(page.getByLabel('No soy un robot'), ' ');
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await type(page.getByRole('button', { name: 'Reenviar' }), press);
  await expectFocusOn(page, 'Revisá tu correo electrónico');
  await mail(person.email, 2);
});
