import { openSignedIn, registerByHttp } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import {
  activeSampleCitizen,
  chooseForeignDocument,
  fillDocument,
  completeDocumentStep,
  createForeigner,
  createSampleCitizen,
  signIn,
  readLocalStorage,
} from './support/registration.ts';

const wrong = 'El documento o la contraseña no son correctos.';

test('[LOG-03 LOG-05 LOG-14] a wrong password is reported in its field, with the same message for an unknown document', async ({
  page,
}) => {
  for (const person of [activeSampleCitizen, createSampleCitizen('Nadie', 'Nadie', '31028473'), createForeigner()]) {
    await page.goto('/'); // leaves the page first, because `goto` to the current URL keeps the page and its state
    await page.goto('/login');
    await completeDocumentStep(page, person);
    const password = page.getByLabel('Contraseña', { exact: true });
    await password.fill('no-es-esta-clave');
    await page.getByRole('button', { name: 'Iniciar sesión' }).click();
    await expect(password).toHaveAccessibleDescription(wrong);
    await expect(password, 'focus on the field with the error').toBeFocused();
    await expect(page.getByText('Hay un dato para corregir')).toHaveCount(0);
    await password.fill('otra');
    await expect(password).not.toHaveAttribute('aria-invalid', 'true');
  }
});

test('[LOG-03 LOG-05 VAL-06] the document step rejects a wrong number without a request, and switches to a foreign document and back', async ({
  page,
}) => {
  let sent = 0;
  page.on('request', (request) => void (request.method() === 'POST' && (sent += 1)));
  await page.goto('/login');
  const number = page.getByLabel('Número de cédula');
  await number.fill('45123785');
  await page.getByRole('button', { name: 'Continuar' }).click({ force: true });
  await expect(number).toHaveAccessibleDescription(/El documento no es válido\./);
  expect(sent).toBe(0);

  await chooseForeignDocument(page);
  const country = page.getByLabel('País emisor del documento');
  await expect(country).toHaveValue('ar');
  await expect(page.getByLabel('Tipo de documento')).toHaveValue('dni');
  await expect(country.locator('option[value=uy]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(number).toBeVisible();

  await completeDocumentStep(page, activeSampleCitizen);
  await page.reload();
  await expect(page.getByText('Documento: 4.512.378-4.'), 'document stored on the server').toBeVisible();
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue('');
  await page.goBack();
  await expect(number).toBeVisible();
});

test('[LOG-06] Back from the password step keeps the document, drops the password and reverses the animation', async ({
  page,
}) => {
  await page.goto('/login');
  await completeDocumentStep(page, activeSampleCitizen);
  await expect(page.locator('[data-screen]')).toHaveAttribute('data-direction', 'forward');
  const password = page.getByLabel('Contraseña', { exact: true });
  await password.fill('algo-escrito');
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(page.getByLabel('Número de cédula')).toHaveValue(activeSampleCitizen.document);
  await expect(page.locator('[data-screen]')).toHaveAttribute('data-direction', 'back');
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(password).toHaveValue('');

  await password.fill('algo-escrito');
  await page.goBack();
  await expect(page.getByLabel('Número de cédula')).toHaveValue(activeSampleCitizen.document);
  await expect(page.locator('[data-screen]')).toHaveAttribute('data-direction', 'back');
  await page.goForward();
  await expect(password).toHaveValue('');
  await password.fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
});

test('[LOG-14] an inactive account is reported after the right password, with a link to a new activation mail', async ({
  page,
  portal,
}) => {
  const person = createForeigner();
  await registerByHttp(portal, person);
  await page.goto('/login');
  await completeDocumentStep(page, person);
  await page.getByLabel('Contraseña', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  const notice = page.getByRole('status').filter({ hasText: 'Todavía no activaste tu cuenta.' });
  await expect(notice).toBeFocused();
  await notice.getByRole('link', { name: 'Pedir un nuevo correo de activación' }).click();
  await expect(page).toHaveURL(/\/reenviar-link-activacion$/);
  await fillDocument(page, person);
});

test('[RUTA-11] the sign-in page redirects a signed-in citizen to the home page', async ({ page, portal }) => {
  await openSignedIn(page, portal, activeSampleCitizen, '/login');
  await expect(page.getByRole('heading', { name: `Hola, ${activeSampleCitizen.firstName}` })).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
});

test('[RUTA-09 SES-03] `redirectUrl` with another host is ignored after the sign-in', async ({ page, baseURL }) => {
  await page.goto(`/login?redirectUrl=${encodeURIComponent('//malo.example')}`);
  await signIn(page, activeSampleCitizen);
  await expect(page).toHaveURL(`${baseURL ?? ''}/`);
});

const token = (payload: object) => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(payload))}.x`;
test('[SES-01 SES-02] an expired, malformed or rejected token shows the sign-in and is removed from the storage', async ({
  page,
}) => {
  await page.goto('/login');
  const withToken = (exp: number) => JSON.stringify({ token: token({ exp, cid: 'a', idp: '' }), flows: {} });
  for (const stored of [withToken(1_000_000_000), '{"token":', withToken(4_000_000_000)]) {
    await page.evaluate((text) => localStorage.setItem('portal', text), stored);
    await page.goto('/seguridad');
    await expect(page.getByRole('heading', { name: 'Iniciá sesión' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Iniciar sesión' })).toBeVisible();
    expect(await readLocalStorage(page)).toBe('{}');
  }
});

test('[SES-01] the token is refreshed every 55 s, and a rejected refresh empties the storage and signs out', async ({
  page,
  context,
  portal,
}) => {
  await page.clock.install();
  await openSignedIn(page, portal, activeSampleCitizen, '/');
  await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
  const renewed = page.waitForResponse((response) => response.url().includes('/jwt/refresh/'));
  await page.clock.fastForward(55_000);
  expect((await renewed).status()).toBe(200);
  await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
  await context.clearCookies();
  const leaving = page.waitForURL(/\/logout-process$/);
  await page.clock.fastForward(55_000);
  await leaving;
  await expect(page.getByRole('banner').getByRole('link', { name: 'Registrate' })).toBeVisible();
  expect(await readLocalStorage(page)).toBe('{}');
});

test('[SES-02 SES-04] the storage holds only token and last activity, signing out empties it, and Back shows no data', async ({
  page,
}) => {
  await page.goto('/login');
  await signIn(page, activeSampleCitizen);
  await page.getByRole('link', { name: 'Seguridad' }).click();
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toBeVisible();
  const stored: unknown = JSON.parse((await page.evaluate(() => localStorage.getItem('portal'))) ?? 'null');
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(['portal', 'portal-activity']);
  expect(stored).toEqual({ token: expect.any(String) as unknown, flows: {} });
  const text = await readLocalStorage(page);
  for (const secret of [
    activeSampleCitizen.password,
    activeSampleCitizen.document,
    'ana.pereira@example.com',
    'Pereira',
  ]) {
    expect(text).not.toContain(secret);
    expect(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString(), 'not in the claims either').not.toContain(
      secret,
    );
  }
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);

  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Registrate' }).first()).toBeVisible();
  expect(await readLocalStorage(page)).toBe('{}');
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toHaveCount(0);
});

test('[SES-01 SES-04] signing out in one tab signs out the other tab', async ({ page, context, portal }) => {
  await openSignedIn(page, portal, activeSampleCitizen, '/seguridad');
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toBeVisible();
  const other = await context.newPage();
  await other.goto('/seguridad');
  await other.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(other.getByRole('link', { name: 'Registrate' }).first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Iniciá sesión' })).toBeVisible();
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toHaveCount(0);
  expect(await readLocalStorage(page)).toBe('{}');
});
