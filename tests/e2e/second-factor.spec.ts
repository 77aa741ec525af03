import type { Page } from '@playwright/test';
import { openBrowser } from '../server/support/browser.ts';
import { runOperatorCommand, createAccount, openSignedIn } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { findLink } from './support/outbox.ts';
import type { Portal } from './support/portal.ts';
import { computeAppCode, setUpApp } from './support/second-factor.ts';
import {
  fillDocument,
  completePasswordSteps,
  createForeigner,
  createSampleCitizen,
  submitPasswordSteps,
  solveCaptcha,
  readLocalStorage,
  type Person,
} from './support/registration.ts';

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
}

async function createOwnAccount(portal: Portal): Promise<Person> {
  const person = createForeigner();
  await createAccount(portal, person);
  return person;
}

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Sets up e-mail codes on the account pages. `newestMail` returns the mail with the code. */
async function setUpMailedCodes(page: Page, newestMail: () => Promise<string>): Promise<void> {
  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await page.getByRole('button', { name: 'Configurar con correo electrónico' }).click();
  await page.getByRole('button', { name: 'Enviar código' }).click();
  await title(page, 'Ingresá el código de verificación');
  await expect.poll(newestMail).toMatch(/^\d{6}$/m);
  const code = /^\d{6}$/m.exec(await newestMail())?.[0] ?? '';
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(code);
  await page.getByRole('button', { name: 'Comprobar' }).click();
  await title(page, 'Activaste el doble factor de autenticación');
}

test('[MFA-02 MFA-06 LOG-04 LOG-07 LOG-08 SES-02] an authenticator app is set up during the sign-in, and a recovery code or an e-mail code can replace it', async ({
  page,
  portal,
  mail,
  axe,
}) => {
  test.setTimeout(150_000);
  const person = await createOwnAccount(portal);
  await page.goto('/login?redirectUrl=/seguridad');
  await completePasswordSteps(page, person);
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Configurar con aplicativo de autenticación' }).click();
  await title(page, 'Agregá tu cuenta a la aplicación');
  expect(await axe()).toEqual([]);
  const qr = page.locator('svg[height="128"]');
  await expect(qr).toBeVisible();
  const secret = (await page.getByLabel('Clave de configuración', { exact: true }).inputValue()).replaceAll(/\s/g, '');
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(await readLocalStorage(page)).not.toContain(secret);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill('abc123');
  await page.getByRole('textbox', { name: 'Código de verificación' }).blur();
  await expect(page.getByText('El código de verificación solo contiene números.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(computeAppCode(secret));
  await page.getByRole('button', { name: 'Comprobar' }).click();
  await title(page, 'Activaste el doble factor de autenticación');
  await expect(page.getByRole('heading', { level: 2, name: 'Tus códigos de recuperación' })).toBeVisible();
  const codes = await page.locator('.codes code').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = page.locator('.codes code').evaluateAll((all) => all.map((code) => code.getClientRects().length));
    expect([await lines, codes], 'each code has four groups on one line').toEqual([
      Array(10).fill(1),
      Array(10).fill(expect.stringMatching(/^[A-Z0-9]{4}( [A-Z0-9]{4}){3}$/)),
    ]);
  }
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Seguridad');
  expect((await mail(person.email)).subject).not.toBe('');
  await signOut(page);

  await page.goto('/login?redirectUrl=/seguridad');
  await submitPasswordSteps(page, person);
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill('000000');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('textbox', { name: 'Código de verificación' })).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await page.getByRole('textbox', { name: 'Código de recuperación' }).fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await title(page, 'Usaste un código de recuperación');
  await expect(page.getByText('te quedan 9 sin usar')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await title(page, 'Seguridad');
  await setUpMailedCodes(page, async () => (await mail(person.email)).text);
  await signOut(page);

  await page.goto('/login?redirectUrl=/seguridad');
  await submitPasswordSteps(page, person);
  await page.getByRole('button', { name: 'Recibir código por correo electrónico' }).click();
  await title(page, 'Revisá tu casilla de correo');
  const before = (await mail(person.email)).text;
  await page.getByRole('button', { name: 'Reenviar código' }).click();
  await expect(page.getByText('El código de verificación fue enviado nuevamente')).toBeVisible();
  await expect.poll(async () => (await mail(person.email)).text).not.toBe(before);
  const code = (await mail(person.email)).text.match(/\b[A-Z0-9]{6}\b/)?.[0] ?? '';
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(code);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await title(page, 'Seguridad');

  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await page.getByRole('button', { name: 'Desactivar doble factor de autenticación' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Desactivar' }).click();
  await page.getByLabel('Contraseña actual').fill(person.password);
  await page.getByLabel('Contraseña actual').press('Enter');
  await expect(page.getByText('Entraste con un código enviado a tu correo.')).toBeVisible();
  expect(await axe()).toEqual([]);
});

test('[ASVS-6.4.3 LOG-04] a sign-in after a reset by e-mail rejects e-mail codes, and offers a recovery code or a video call', async ({
  page,
  portal,
  mail,
}) => {
  test.slow();
  const person = await createOwnAccount(portal);
  await openSignedIn(page, portal, person);
  await setUpMailedCodes(page, async () => (await mail(person.email)).text);
  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await signOut(page);
  await page.goto('/contraseña/restablecer');
  await fillDocument(page, person);
  await solveCaptcha(page);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await title(page, 'Revisá tu correo electrónico');
  await expect.poll(async () => (await mail(person.email)).text).toContain('token=');
  await page.goto(findLink(await mail(person.email), 'token='));
  const password = 'siete-medialunas-dulces';
  await page.getByLabel('Nueva contraseña', { exact: true }).fill(password);
  await page.getByLabel('Repetir nueva contraseña').fill(password);
  await page.getByRole('button', { name: 'Cambiar contraseña' }).click();
  await title(page, 'Tu contraseña se modificó');
  await expect(page.getByText('un código enviado a este mismo correo no alcanza')).toBeVisible();

  await page.goto('/login?redirectUrl=/seguridad');
  await submitPasswordSteps(page, { ...person, password });
  await title(page, 'Confirmá que sos vos de otra forma');
  await expect(page.getByText('no alcanza con un código enviado al mismo correo')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await page.getByRole('button', { name: 'No tengo un código de recuperación' }).click();
  await title(page, 'Confirmá que sos vos de otra forma');
  await page.getByRole('button', { name: 'Reservar una videollamada' }).click();
  await expect(page).toHaveURL(/\/contacto-videollamada/);
});

test('[MFA-06] a citizen with Intermedio and no second factor must set one up before using the account', async ({
  page,
  portal,
}) => {
  test.slow();
  const person = createSampleCitizen('Sofía', 'D’Alessandro', '42039178');
  await createAccount(portal, person);
  await runOperatorCommand(portal, 'elevate', person);
  const other = openBrowser(portal.url);
  await other.signIn(person);
  const bearer = { authorization: `Bearer ${await other.bearer()}` };
  const setUp = () => title(page, 'Activá el doble factor de autenticación');
  await page.goto('/login?redirectUrl=/ayuda');
  await submitPasswordSteps(page, person);
  await expect(page).not.toHaveURL(/login/);
  for (const typed of ['/seguridad', '/seguridad/mis-datos', '/seguridad/sesiones', '/seguridad/telefono/modificar']) {
    await page.goto(typed);
    await setUp();
    await expect(page.getByRole('button', { name: 'Recordar más tarde' })).toHaveCount(0);
  }
  for (const closed of ['/rest/sesiones/', '/rest/aplicaciones/']) {
    const answer = await other.get(closed, bearer);
    expect([closed, answer.status, (await answer.json()).code]).toEqual([closed, 403, 'segundo_factor_pendiente']);
  }
  await page.goto('/configurar-segundo-factor/postergar?redirect_uri=/seguridad');
  await setUp();
  await page.goto('/seguridad/cerrar-cuenta');
  await page.getByLabel(/^Contraseña/).fill(person.password);
  await page.locator('button[type=submit]').click();
  await title(page, 'Cerrar tu cuenta');
  await page.goto('/seguridad/sesiones');
  await setUpApp(page);
  await title(page, 'Sesiones y dispositivos');
});

test('[LOG-04 MFA-03 MFA-07] a citizen with only e-mail codes can sign in with a recovery code after losing the mailbox', async ({
  page,
  portal,
  mail,
}) => {
  test.slow();
  const person = await createOwnAccount(portal);
  await page.goto('/login?redirectUrl=/seguridad');
  await completePasswordSteps(page, person);
  await page.getByRole('button', { name: 'Configurar con correo electrónico' }).click();
  await page.getByRole('button', { name: 'Enviar código' }).click();
  const codeBox = page.getByRole('textbox', { name: 'Código de verificación' });
  await expect(codeBox).toHaveAttribute('inputmode', 'numeric');
  await codeBox.fill((await mail(person.email)).text.match(/\b\d{6}\b/)?.[0] ?? '');
  await page.getByRole('button', { name: 'Comprobar' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Tus códigos de recuperación' })).toBeVisible();
  const [code = ''] = await page.locator('.codes code').allInnerTexts();
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Seguridad');
  await signOut(page);

  await page.goto('/login?redirectUrl=/seguridad');
  await submitPasswordSteps(page, person);
  await title(page, 'Revisá tu casilla de correo');
  await expect(codeBox, 'no numeric keyboard for a recovery code with letters').not.toHaveAttribute('inputmode');
  await expect(page.getByText('cambiá tu correo en persona')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await page.getByRole('textbox', { name: 'Código de recuperación' }).fill(code);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByRole('button', { name: 'Configurar el doble factor' }).click();
  await title(page, 'Doble factor de autenticación');
});

test('[RUTA-08] the second-factor choice returns to `redirect_uri` with `state`, and `login=True` opens the app setup', async ({
  page,
  portal,
}) => {
  const person = await createOwnAccount(portal);
  await openSignedIn(page, portal, person, '/configurar-segundo-factor?redirect_uri=/ayuda&state=un%26estado');
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await title(page, 'Preguntas frecuentes');
  expect(new URL(page.url()).search).toBe('?state=un%26estado');
  await page.goto('/configurar-segundo-factor/aplicativo');
  await title(page, 'Activá el doble factor de autenticación');
  await page.goto('/configurar-segundo-factor/aplicativo?login=True');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/a la aplicación$/);
});

test('[MFA-01 MFA-03 MFA-05] e-mail codes are set up on the account pages, recovery codes are renewed, and the factor is disabled', async ({
  page,
  portal,
  mail,
  axe,
}) => {
  const person = await createOwnAccount(portal);
  await openSignedIn(page, portal, person, '/seguridad/autenticacion-en-dos-pasos');
  await title(page, 'Doble factor de autenticación');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Configurar con correo electrónico' }).click();
  await page.getByRole('button', { name: 'Enviar código' }).click();
  await title(page, 'Ingresá el código de verificación');
  const code = (await mail(person.email, 2)).text.match(/\b\d{6}\b/)?.[0] ?? '';
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(code);
  await page.getByRole('button', { name: 'Comprobar' }).click();
  await title(page, 'Activaste el doble factor de autenticación');
  const shown = await page.locator('.codes code').first().innerText();
  expect(await readLocalStorage(page)).not.toContain(shown);
  await page.getByRole('button', { name: 'Seguir sin guardarlos' }).click();
  await title(page, 'Seguridad');
  await page.goBack();
  await title(page, 'Activaste el doble factor de autenticación');
  await expect(page.getByText(shown)).toHaveCount(0); // the codes are shown only once

  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await expect(page.getByText('Fecha de activación')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const renew = page.getByRole('button', { name: 'Generar códigos de recuperación nuevos' });
  await renew.click();
  await expect(dialog.getByText('Los códigos que tenés guardados dejan de servir.')).toBeVisible();
  expect(await axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Generar' }).click();
  await page.getByLabel('Contraseña actual').fill(person.password);
  await page.getByLabel('Contraseña actual').press('Enter');
  await title(page, 'Tus códigos de recuperación');
  await page.getByRole('button', { name: 'Ya los guardé' }).click();
  await title(page, 'Seguridad');

  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await page.getByRole('button', { name: 'Desactivar doble factor de autenticación' }).click();
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Desactivar doble factor de autenticación' }).click();
  await dialog.getByRole('button', { name: 'Desactivar' }).click();
  await title(page, 'Seguridad');
  await page.goto('/seguridad/autenticacion-en-dos-pasos');
  await expect(page.getByText('Desactivada')).toBeVisible();
});
