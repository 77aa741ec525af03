import type { Page } from '@playwright/test';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { findLink } from './support/outbox.ts';
import type { Portal } from './support/portal.ts';
import { completeDocumentStep, createForeigner, signIn, type Person } from './support/registration.ts';

const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Creates a citizen with an active account, and signs the browser in. */
async function createOwnAccount(page: Page, portal: Portal): Promise<Person> {
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person);
  return person;
}

/** Enters the current password if the page asks for it. */
async function enterPassword(page: Page, password: string): Promise<void> {
  await title(page, 'Confirmá que sos vos');
  await page.getByLabel('Contraseña actual').fill(password);
  await press(page, 'Continuar');
}

test('[CLAVE-04 CLAVE-05 CLAVE-06 CLAVE-08 RUTA-03] changing the password asks for the current one, keeps this session and ends the other session', async ({
  page,
  portal,
  mail,
  browser,
  baseURL,
}) => {
  test.setTimeout(150_000);
  const person = await createOwnAccount(page, portal);
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', locale: 'es-UY' });
  const other = await elsewhere.newPage();
  await other.goto('/login?redirectUrl=/seguridad');
  await signIn(other, person);

  await page.goto('/seguridad/contraseña');
  await title(page, 'Contraseña');
  await expectAccessible(page);
  await press(page, 'Cambiar contraseña');
  await title(page, 'Confirmá que sos vos');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continuar' }).click({ force: true });
  await expect(page.getByText('Este es un dato requerido').first()).toBeVisible();
  await enterPassword(page, 'no-es-esta');
  await expect(page.getByText('Contraseña inválida').first()).toBeVisible();
  await expect(page.getByRole('link', { name: '¿Olvidaste tu contraseña?' })).toBeVisible();
  await enterPassword(page, person.password);

  await title(page, 'Cambiá tu contraseña');
  await expectAccessible(page);
  const [fresh, repeat] = [
    page.getByLabel('Nueva contraseña', { exact: true }),
    page.getByLabel('Repetir nueva contraseña'),
  ];
  for (const { refused, by } of [
    { refused: person.password, by: 'server' }, // only the server can detect that the new password is the current one
    { refused: `${person.surname}1`, by: 'browser' },
  ]) {
    await fresh.fill(refused);
    await repeat.fill(refused);
    if (by === 'server') await press(page, 'Cambiar contraseña');
    await expect(fresh).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('button', { name: 'Cambiar contraseña' })).toHaveAttribute('aria-disabled', 'true');
  }
  const password = 'siete-medialunas-dulces';
  await fresh.fill(password);
  await repeat.fill('otra cosa');
  await repeat.blur();
  await expect(page.getByText('Las contraseñas deben ser iguales')).toBeVisible();
  await repeat.fill(password);
  await press(page, 'Cambiar contraseña');
  await title(page, 'Tu contraseña se modificó');
  await expectAccessible(page);
  expect(new URL(page.url()).pathname).toBe('/seguridad/contrase%C3%B1a/modificar/exito');
  await page.getByRole('link', { name: 'Volver a Seguridad' }).click();
  await title(page, 'Seguridad');
  await expect
    .poll(async () => (await mail(person.email, 2)).subject)
    .toBe('Se cambió tu contraseña de Usuario digital');

  await other.reload();
  await title(other, 'Iniciá sesión');
  await completeDocumentStep(other, person);
  await other.getByLabel('Contraseña', { exact: true }).fill(password);
  await other.getByRole('button', { name: 'Iniciar sesión' }).click();
  await title(other, 'Activá el doble factor de autenticación');
  await elsewhere.close();
});

test('[CLAVE-04 INI-02] Back skips the password prompt, and the prompt ignores a `next` address on another host', async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  const person = await createOwnAccount(page, portal);
  await page.goto('/seguridad');
  await title(page, 'Seguridad');
  await page.goto('/seguridad/correo-electronico/modificar');
  await title(page, 'Confirmá que sos vos');
  await page.goBack();
  await title(page, 'Seguridad');
  for (const [next, heading] of [
    ['https://evil.example/', 'Seguridad'],
    ['//evil.example/', `Hola, ${person.firstName}`],
    ['/seguridad/telefono', 'Teléfono'],
  ] as const) {
    await page.goto(`/seguridad/contraseña/verificar?next=${encodeURIComponent(next)}`);
    await enterPassword(page, person.password);
    await title(page, heading);
  }
});

test('[CORREO-01 CORREO-02 CORREO-03 CORREO-04 SEG-08 RUTA-03] the mailed link confirms a new e-mail in another browser, and ends the session that requested it', async ({
  page,
  portal,
  mail,
  browser,
  baseURL,
}) => {
  test.setTimeout(150_000);
  const person = await createOwnAccount(page, portal);
  const fresh = `nuevo.${person.document}@example.com`;
  await page.goto('/seguridad/correo-electronico');
  await expect(page.getByText(`El correo electrónico de tu cuenta es ${person.email}.`)).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Cambiar correo electrónico');
  await enterPassword(page, person.password);
  await title(page, 'Cambiá tu correo electrónico');
  await expectAccessible(page);
  await page.getByLabel('Nuevo correo electrónico').fill(person.email);
  await press(page, 'Continuar');
  await expect(page.getByText('Ese ya es el correo electrónico de tu cuenta.').first()).toBeVisible();
  await page.getByLabel('Nuevo correo electrónico').fill(fresh.toUpperCase());
  await press(page, 'Continuar');
  await title(page, 'Ya casi terminás');
  await expect(page.getByText(fresh)).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Reenviar instrucciones');
  await expect(page.getByText('Las instrucciones fueron enviadas nuevamente')).toBeVisible();
  await page.reload();
  await title(page, 'Ya casi terminás');
  await page.goto('/seguridad/correo-electronico/reenviar-link-activacion');
  await expectAccessible(page);
  await press(page, 'Reenviar');
  await title(page, 'Ya casi terminás');
  await expect(page.getByText('Las instrucciones fueron enviadas nuevamente')).toBeVisible();
  expect((await mail(person.email, 2)).subject).toBe(
    'Pidieron cambiar el correo electrónico de tu cuenta de Usuario digital',
  );

  const link = findLink(await mail(fresh, 3), '/modificar/aprobar');
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '', locale: 'es-UY' });
  const stranger = await elsewhere.newPage();
  await stranger.goto(link);
  await title(stranger, 'Un último paso');
  await expect(stranger).not.toHaveURL(/uuid/);
  await expect(stranger.getByText(fresh)).toBeVisible();
  await press(stranger, 'Confirmar correo');
  await title(stranger, 'Cambiaste tu correo electrónico');
  await expect(stranger.getByText('Cerramos las demás sesiones que tenías abiertas.')).toBeVisible();
  expect((await mail(person.email, 3)).subject).toBe('Se cambió el correo electrónico de tu cuenta de Usuario digital');
  expect((await mail(fresh, 4)).subject).toBe('Este es el nuevo correo electrónico de tu cuenta de Usuario digital');
  await stranger.goto(link);
  await press(stranger, 'Confirmar correo');
  await expect(stranger.getByText('Este vínculo ya se había usado: tu correo ya estaba confirmado.')).toBeVisible();
  await elsewhere.close();

  await page.reload(); // reloads, because confirming the new address has ended this browser's session
  await title(page, 'Iniciá sesión');
});

test('[CORREO-03 CORREO-04] an invalid e-mail link offers the sign-in to a signed-out visitor and a new link to a signed-in citizen', async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  await page.goto(
    `/seguridad/correo-electronico/modificar/aprobar?uuid=nada&email=${Buffer.from('<b>x</b>').toString('base64url')}`,
  );
  await title(page, 'Un último paso');
  await expectAccessible(page);
  await expect(page.getByText('Nuevo correo electrónico', { exact: true })).toBeHidden();
  await press(page, 'Confirmar correo');
  await title(page, 'Ups, ocurrió un problema...');
  await expectAccessible(page);
  await expect(page.getByText('Al parecer el vínculo no existe o expiró y ya no es válido.')).toBeVisible();
  for (const name of ['Preguntas frecuentes', 'Contacto'])
    await expect(page.getByRole('main').getByRole('link', { name })).toBeVisible();
  await press(page, 'Iniciar Sesión');
  await title(page, 'Iniciá sesión');
  await createOwnAccount(page, portal);
  await page.goto('/seguridad/correo-electronico/modificar/aprobar/error');
  await press(page, 'Solicitar vínculo nuevo');
  await title(page, 'Confirmá que sos vos');
});

test('[CORREO-01 MFA-03 RUTA-08] the code sent to a new e-mail sets up the second factor and confirms the e-mail', async ({
  page,
  portal,
  mail,
}) => {
  test.setTimeout(150_000);
  const person = await createOwnAccount(page, portal);
  const fresh = `codigos.${person.document}@example.com`;
  await page.goto('/seguridad/autenticacion-en-dos-pasos/email');
  await page.getByRole('link', { name: 'Usar otro correo electrónico' }).click();
  await enterPassword(page, person.password);
  await page.getByLabel('Nuevo correo electrónico').fill(fresh);
  await press(page, 'Continuar');
  await title(page, 'Configurar con correo electrónico');
  expect(page.url()).not.toContain('uuid');
  await press(page, 'Enviar código');
  await title(page, 'Ingresá el código de verificación');
  const code = (await mail(fresh)).text.match(/\b\d{6}\b/)?.[0] ?? '';
  await page.getByRole('textbox', { name: 'Código de verificación' }).fill(code);
  await press(page, 'Comprobar');
  await title(page, 'Cambiaste tu correo electrónico');
  await expectAccessible(page);
  await press(page, 'Ya los guardé');
  await title(page, 'Seguridad');
  await page.goto('/seguridad/correo-electronico');
  await expect(page.getByText(`El correo electrónico de tu cuenta es ${fresh}.`)).toBeVisible();
});

test('[CORREO-05 RUTA-03] the phone number can be changed and removed with the keyboard, and a failed change shows an error page', async ({
  page,
  portal,
}) => {
  test.setTimeout(120_000);
  const person = await createOwnAccount(page, portal);
  await page.goto('/seguridad/telefono');
  await expect(page.getByText('Tu cuenta no tiene un número de teléfono.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Agregar teléfono' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Agregá tu teléfono' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Número de teléfono')).toBeFocused();
  await page.keyboard.type('12');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Número de teléfono')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Número de teléfono').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('+59899123456');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Agregaste tu número de teléfono.')).toBeVisible();
  await expect(page.getByText(/es \+598\s?99\s?123\s?456\./)).toBeVisible();
  const next = `/seguridad/contraseña/verificar?next=${encodeURIComponent('/seguridad/telefono/modificar')}`;
  const json = { code: 'verificacion_requerida', message: '', next };
  await page.route('**/update_numero_telefono/', (route) => route.fulfill({ status: 403, json }), { times: 1 }); // simulates the response ten minutes after the sign-in
  await press(page, 'Cambiar teléfono');
  await page.getByLabel('Número de teléfono').fill('');
  await press(page, 'Guardar');
  await title(page, 'Confirmá que sos vos');
  await page.getByLabel('Contraseña actual').fill(person.password);
  await press(page, 'Continuar');
  await expect(page.getByText('Quitamos el número de teléfono de tu cuenta.')).toBeVisible();
  await expect(page.getByText('Tu cuenta no tiene un número de teléfono.')).toBeVisible();

  await press(page, 'Agregar teléfono');
  await press(page, 'Guardar');
  await expect(page.getByText('Tu cuenta no tiene un número de teléfono.')).toBeVisible();
  await expect(page.getByText('Quitamos el número'), 'there was no number to remove').toBeHidden();

  await page.route('**/update_numero_telefono/', (route) => route.fulfill({ status: 409, json: { error: 'no' } }));
  await press(page, 'Agregar teléfono');
  await page.getByLabel('Número de teléfono').focus();
  await page.keyboard.type('99123456'); // types after the prefix, where the focus has put the cursor
  await press(page, 'Guardar');
  await expect(page.getByText('No ha sido posible modificar el número de teléfono.')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/seguridad/telefono/error');
  await expectAccessible(page);
  await press(page, 'Probar de nuevo');
  await expect(page.getByRole('heading', { name: 'Agregá tu teléfono' })).toBeVisible();
});
