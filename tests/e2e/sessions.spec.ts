import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { openBrowser } from '../server/support/browser.ts';
import { createAccount, openSignedIn } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import type { Portal } from './support/portal.ts';
import { nonDefaultSettings } from './support/other-settings.ts';
import { createForeigner, signIn, submitPasswordSteps, type Person } from './support/registration.ts';

test.use({ settings: nonDefaultSettings });

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Creates a citizen with an active account, and signs the browser in. */
async function openAccount(page: Page, portal: Portal): Promise<Person> {
  const person = createForeigner();
  await createAccount(portal, person);
  await openSignedIn(page, portal, person);
  return person;
}

/** Enters the current password if the page asks for it. */
async function enterPassword(page: Page, { password }: Person): Promise<void> {
  await page.getByLabel(/^Contraseña/).fill(password);
  await page.locator('button[type=submit]').click();
}

test('[SEG+SESIONES ASVS-7.5.2] a session can be ended from the list after a confirmation, and its browser is signed out', async ({
  page,
  portal,
  mail,
}) => {
  test.slow();
  const person = createForeigner();
  await createAccount(portal, person);
  await page.goto('/login?redirectUrl=/seguridad');
  await signIn(page, person);
  await title(page, 'Seguridad');
  const other = openBrowser(portal.url);
  await other.signIn(person);
  expect((await mail(person.email)).subject).toContain('Nuevo inicio de sesión');
  await page.goto('/seguridad/sesiones');
  await title(page, 'Sesiones y dispositivos');
  await expect(page.getByText('Esta sesión', { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Chrome en' })).toBeVisible();
  await expect(page.getByText('127.0.x.x').first()).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cerrar esta sesión' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: '¿Cerrar esta sesión?' })).toBeVisible();
  await expect(page.getByRole('dialog', { name: '¿Cerrar esta sesión?' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Cerrar esta sesión' })).toBeFocused();
  expect((await other.get('/jwt/obtain/')).status).toBe(200);
  await page.getByRole('button', { name: 'Cerrar esta sesión' }).click();
  await dialog.getByRole('button', { name: 'Cerrar la sesión' }).click();
  await expect(page.getByText('La sesión se cerró. Ese dispositivo ya no puede usar tu cuenta.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cerrar esta sesión' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect((await other.get('/jwt/obtain/')).status).toBe(401);

  await other.signIn(person);
  await page.reload();
  const next = `/seguridad/contraseña/verificar?next=${encodeURIComponent('/seguridad/sesiones')}`;
  const json = { code: 'verificacion_requerida', message: '', next };
  await page.route('**/cerrar_otras/', (route) => route.fulfill({ status: 403, json }), { times: 1 }); // simulates the response to a citizen whose last proof of identity is older than ten minutes
  await page.getByRole('button', { name: 'Cerrar las demás sesiones' }).click();
  await dialog.getByRole('button', { name: 'Cerrar las demás' }).click();
  await title(page, 'Confirmá que sos vos');
  await enterPassword(page, person);
  await expect(page.getByText('Las demás sesiones se cerraron.')).toBeVisible();
  expect((await other.get('/jwt/obtain/')).status).toBe(401);
  await expect(page.getByRole('button', { name: 'Cerrar las demás sesiones' })).toBeHidden();
});

test("[SEG+DATOS] the citizen's data is downloaded as JSON after the password, and is not in local storage or the address", async ({
  page,
  portal,
}) => {
  test.slow();
  const person = await openAccount(page, portal);
  await page.goto('/seguridad/mis-datos');
  await title(page, 'Tus datos');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Descargar mis datos' }).click();
  await enterPassword(page, person);
  await title(page, 'Tus datos');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Descargar mis datos' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^mis-datos-\d{4}-\d\d-\d\d\.json$/);
  const content: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(content).toMatchObject({
    persona: { primer_nombre: person.firstName },
    documento: { numero_documento: person.document },
    contacto: { email: person.email },
  });
  await expect(page.getByText('Tus datos se descargaron.')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage) + location.href)).not.toContain(person.document);
});

test('[SEG+CIERRE] typing CERRAR requests the closure of the account, and the next sign-in can cancel it', async ({
  page,
  portal,
  mail,
}) => {
  test.slow();
  const person = await openAccount(page, portal);
  await page.goto('/seguridad/cerrar-cuenta');
  await enterPassword(page, person);
  await title(page, 'Cerrar tu cuenta');
  await page.setViewportSize({ width: 360, height: 640 });
  await expect(page.getByRole('button', { name: 'Cerrar mi cuenta' }), 'at 360x640').toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.getByLabel('Escribí CERRAR para confirmar').fill('no');
  await page.getByLabel('Escribí CERRAR para confirmar').blur();
  await expect(page.getByText('Para confirmar, escribí CERRAR.')).toBeVisible();
  await page.getByLabel('Escribí CERRAR para confirmar').fill('cerrar');
  await page.getByRole('button', { name: 'Cerrar mi cuenta' }).click();
  await title(page, 'Pediste cerrar tu cuenta');
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
  expect((await mail(person.email)).subject).toContain('Pediste cerrar tu cuenta');

  await page.goto('/login?redirectUrl=/seguridad/sesiones');
  await submitPasswordSteps(page, person);
  await title(page, 'Tu cuenta se va a cerrar');
  await expect(page.getByText('(hora oficial de Uruguay)')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Conservar mi cuenta' }).click();
  await title(page, 'Sesiones y dispositivos');
  await expect.poll(async () => (await mail(person.email)).subject).toContain('se conserva');
  for (const path of ['/seguridad/cerrar-cuenta/conservar', '/seguridad/cerrar-cuenta/pedido']) {
    await page.goto(path);
    await title(page, 'Seguridad');
  }
});

test('[SEG+INACTIVIDAD] an idle session shows a warning in every tab, and one click continues the session in all of them', async ({
  page,
  context,
  portal,
}) => {
  test.slow();
  await openAccount(page, portal);
  await context.clock.install(); // installs the clock immediately before the load, because a page that loads much later would read two different times
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto('/seguridad');
    await title(tab, 'Seguridad');
  }
  await context.clock.fastForward(182_000);
  const dialog = page.getByRole('alertdialog', { name: 'Tu sesión está por terminar' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('Te quedan menos de 2 minutos.');
  await expect(dialog).toHaveAccessibleDescription(/Te quedan menos de 2 minutos\.$/);
  await expect(dialog.getByRole('button', { name: 'Seguir con la sesión' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Cerrar sesión' })).toBeFocused();
  await expectAccessible(page);
  await expect(second.getByRole('alertdialog')).toBeVisible();
  await dialog.getByRole('button', { name: 'Seguir con la sesión' }).click();
  await expect(dialog).toBeHidden();
  await expect(second.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Seguridad' })).toBeVisible();
});

test('[SEG+INACTIVIDAD] an expired idle session shows its page, and a new sign-in returns to the previous page', async ({
  page,
  context,
  portal,
}) => {
  test.slow();
  const person = await openAccount(page, portal);
  await context.clock.install(); // installs the clock immediately before the load, because a page that loads much later would read two different times
  await page.goto('/seguridad/mis-datos');
  await title(page, 'Tus datos');
  const renewed = page.waitForResponse('**/jwt/refresh/');
  await context.clock.fastForward(182_000);
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await renewed; // waits for the refresh, which would time out if the clock advanced earlier
  await context.clock.fastForward(60_000);
  await expect(page.getByRole('alertdialog').getByRole('status')).toHaveText('Te queda menos de 1 minuto.');
  await context.clock.fastForward(60_000);
  await title(page, 'Tu sesión terminó');
  await expectAccessible(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.getByRole('main').getByRole('link', { name: 'Iniciar sesión' }).click();
  await signIn(page, person);
  await title(page, 'Tus datos');
});

test('[SES-01 SES-03] a tab that wakes up with an expired token renews it from the session of the broker', async ({
  page,
  context,
  portal,
}) => {
  test.slow();
  await openAccount(page, portal);
  await context.clock.install(); // installs the clock immediately before the load, because a page that loads much later would read two different times
  await page.goto('/seguridad/sesiones');
  await title(page, 'Sesiones y dispositivos');
  // Makes the token too old to refresh, so that only the session cookie can renew it.
  await page.route('**/jwt/refresh/', (route) => route.continue({ postData: { token: 'ended', activo: false } }));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await context.clock.fastForward('45:00');
  await expect.poll(() => asked.filter((path) => path.startsWith('/jwt/'))).toEqual(['/jwt/refresh/', '/jwt/obtain/']);
  await title(page, 'Sesiones y dispositivos');
  await expect(page.getByRole('alertdialog', { name: 'Tu sesión está por terminar' })).toBeVisible();
  await page.getByRole('button', { name: 'Seguir con la sesión' }).click();
  await page.reload();
  await title(page, 'Sesiones y dispositivos');
  expect(asked).not.toContain('/auth/logout');
});

test('[SES-01] a tab that wakes up while the broker is unreachable reports it, stays signed in and retries', async ({
  page,
  context,
  portal,
  allowProblem,
}) => {
  test.slow();
  allowProblem(/Failed to load resource: net::ERR_/);
  await openAccount(page, portal);
  await context.clock.install();
  await page.goto('/seguridad/sesiones');
  await title(page, 'Sesiones y dispositivos');
  const own = await page.evaluate(() => localStorage.getItem('portal'));
  await page.route('**/jwt/**', (route) => route.abort());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await context.clock.fastForward(170_000);
  await context.clock.fastForward(600_000);
  const notice = page.getByText('No pudimos comunicarnos con el servidor para continuar tu sesión.');
  await expect(notice).toBeVisible();
  await page.getByRole('button', { name: 'Seguir con la sesión' }).click();
  await expectAccessible(page);
  expect(await page.evaluate(() => localStorage.getItem('portal'))).toBe(own);
  await page.unroute('**/jwt/**');
  await context.clock.runFor(6_000);
  await expect(notice).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('portal'))).not.toBe(own);
  await title(page, 'Sesiones y dispositivos');
  expect(asked).not.toContain('/auth/logout');
});

test('[SES-01] a tab that wakes up after its session was ended elsewhere is signed out', async ({
  page,
  context,
  portal,
}) => {
  test.slow();
  await openAccount(page, portal);
  await context.clock.install();
  await page.goto('/seguridad/sesiones');
  await title(page, 'Sesiones y dispositivos');
  const headers = { Origin: portal.url };
  expect((await context.request.post(`${portal.url}/auth/logout`, { headers, data: {} })).status()).toBe(200);
  await context.clock.fastForward(170_000);
  await title(page, 'Tu sesión terminó');
  expect(await page.evaluate(() => localStorage.getItem('portal'))).toBeNull();
});
