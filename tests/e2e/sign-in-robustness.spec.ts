import type { Page } from '@playwright/test';
import { addAuthenticator, createAccount, openSignedIn } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import {
  activeSampleCitizen,
  completeDocumentStep,
  createForeigner,
  createSampleCitizen,
  submitPasswordSteps,
  signIn,
} from './support/registration.ts';

const expired = 'El tiempo de inicio de sesión expiró. Comienza de nuevo.';

const title = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const password = (page: Page) => page.getByLabel('Contraseña', { exact: true });

/** Records the `challenge` value of each request that the page sends to /auth/login. */
function recordChallenges(page: Page): string[] {
  const sent: string[] = [];
  page.on(
    'request',
    (request) => void (request.url().endsWith('/auth/login') && sent.push(String(request.postDataJSON().challenge))),
  );
  return sent;
}

test('[LOG-16] repeated clicks and Enter during a pending sign-in request send one request per step', async ({
  page,
}) => {
  const sent = recordChallenges(page);
  const held: (() => void)[] = [];
  await page.route('**/auth/login', async (route) => {
    await new Promise<void>((release) => held.push(release));
    await route.continue();
  });
  await page.goto('/login');
  await page.getByLabel('Número de cédula').fill(activeSampleCitizen.document);
  const next = page.getByRole('button', { name: 'Continuar' });
  await next.dblclick();
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Número de cédula').press('Enter');
  await next.click({ force: true });
  await expect.poll(() => sent).toEqual(['username']);
  held.splice(0).forEach((release) => release());
  await title(page, 'Ingresá tu contraseña');
  await password(page).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).dblclick();
  await password(page).press('Enter');
  await expect.poll(() => sent).toEqual(['username', 'urn:iduruguay:am:password']);
  held.splice(0).forEach((release) => release());
  await title(page, 'Activá el doble factor de autenticación');
  expect(sent).toEqual(['username', 'urn:iduruguay:am:password']);
});

test('[LOG-14 LOG-05 LOG-12] an expired sign-in is reported at the first step, and a new one continues to `redirectUrl`', async ({
  page,
  context,
}) => {
  await page.goto('/login?redirectUrl=/seguridad');
  await completeDocumentStep(page, activeSampleCitizen);
  await context.clearCookies(); // simulates the expiry of the sign-in cookie after ten minutes
  await password(page).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await title(page, 'Iniciá sesión');
  await expect(page.getByRole('status').filter({ hasText: expired })).toBeFocused();
  await completeDocumentStep(page, activeSampleCitizen);
  await expect(page.getByText(expired)).toBeHidden();
  await expect(password(page), 'the previous password is cleared').toHaveValue('');
  await password(page).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page, 'the redirect target is kept').toHaveURL(/\/seguridad$/);
});

test('[LOG-05 SES-02] a reload at the password step keeps the document, which is not stored in the browser', async ({
  page,
}) => {
  await page.goto('/login');
  await completeDocumentStep(page, activeSampleCitizen);
  await expect(password(page)).toBeVisible();
  const kept = await page.evaluate(() => JSON.stringify([history.state, { ...localStorage }, { ...sessionStorage }]));
  expect(kept + page.url()).not.toContain(activeSampleCitizen.document);
  await page.reload();
  await expect(password(page)).toBeVisible();
  await expect(page.getByText('4.512.378-4')).toBeVisible();
  await password(page).fill(activeSampleCitizen.password);
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await title(page, 'Activá el doble factor de autenticación');
});

test('[LOG-05] two tabs in one sign-in both end signed in, and the later response starts no second session', async ({
  page,
  context,
}) => {
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto('/login');
    await completeDocumentStep(tab, activeSampleCitizen);
    await password(tab).fill(activeSampleCitizen.password);
  }
  await page.bringToFront(); // shows the tab, because a background tab rarely renders and each click waits for a frame
  await page.getByRole('button', { name: 'Iniciar sesión' }).click();
  await page.getByRole('button', { name: 'Recordar más tarde' }).click();
  await expect(page.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
  await second.bringToFront();
  const late = second.waitForResponse('**/auth/login');
  await second.getByRole('button', { name: 'Iniciar sesión' }).click();
  expect((await late).headers()['set-cookie'] ?? '').not.toContain('session');
  await expect(second.getByRole('link', { name: 'Cerrar sesión' })).toBeVisible();
  await page.bringToFront();
  await page.goto('/seguridad');
  await title(page, 'Seguridad');
});

test('[SES-01 SES-04] signing in as another citizen ends the previous session and updates every tab', async ({
  page,
  context,
  portal,
}) => {
  const other = createForeigner();
  await createAccount(portal, other);
  test.slow();
  const second = await context.newPage();
  await second.goto('/login?redirectUrl=/seguridad');
  await page.bringToFront();
  await page.goto('/login?redirectUrl=/seguridad');
  await signIn(page, activeSampleCitizen);
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toBeVisible();
  const before = (await page.request.get('/jwt/obtain/').then((answer) => answer.json())) as { token: string };
  await second.bringToFront();
  await submitPasswordSteps(second, other);
  const whileTabsChange = { timeout: 30_000 }; // Timeout for background tabs, which rarely render.
  await expect(second.getByRole('heading', { level: 1, name: 'Activá el doble factor de autenticación' })).toBeVisible(
    whileTabsChange,
  );

  await expect(page.getByText('Inés Quiroga'), 'the first tab updates without a reload').toBeVisible(whileTabsChange);
  await expect(page.getByText('Ana Lucía Pereira Sosa')).toHaveCount(0);
  const { cid } = JSON.parse(Buffer.from(before.token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
  const answer = await page.request.get(`/rest/ciudadanos/${cid}/`, {
    headers: { authorization: `Bearer ${before.token}` },
  });
  expect(answer.status(), 'the previous session has ended').toBe(401);
});

test('[LOG-06] Volver and Back from the code and the recovery code empty their fields', async ({ page, portal }) => {
  const citizen = createSampleCitizen('Valentina', 'Martínez', '53012480');
  await createAccount(portal, citizen);
  const { codes } = await addAuthenticator(portal, citizen);
  const code = page.getByRole('textbox', { name: 'Código de verificación' });
  const recovery = page.getByRole('textbox', { name: 'Código de recuperación' });
  await page.goto('/login');
  await submitPasswordSteps(page, citizen);
  await code.fill('123456');
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await recovery.fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Volver' }).click();
  await expect(code).toHaveValue('');
  await expect(page.locator('[data-screen]')).toHaveAttribute('data-direction', 'back');
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click();
  await expect(recovery).toHaveValue('');
  await page.goBack();
  await code.fill('654321');
  await page.getByRole('button', { name: 'Volver' }).click();
  await title(page, 'Ingresá tu contraseña');
  await expect(password(page)).toHaveValue('');
});

test('[SES-01 RUTA-09] an expired token is renewed if the broker knows the session, else a new sign-in returns to the page', async ({
  page,
  context,
  portal,
}) => {
  test.slow();
  const citizen = createForeigner();
  await createAccount(portal, citizen);
  await openSignedIn(page, portal, citizen);
  const age = () =>
    page.evaluate(() => {
      const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '');
      localStorage.setItem(
        'portal',
        JSON.stringify({ token: `${part({})}.${part({ exp: 1, cid: 'x', idp: '' })}.x`, flows: {} }),
      );
    });
  const questions: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/auth/login') && questions.push(request.url())));
  await age();
  await page.goto('/seguridad/sesiones?orden=1');
  await title(page, 'Sesiones y dispositivos');
  expect(questions).toEqual([]);

  await age();
  await context.clearCookies();
  await page.goto('/seguridad/sesiones');
  await expect(page.getByRole('status').filter({ hasText: 'Tu sesión terminó' })).toBeVisible();
  await title(page, 'Iniciá sesión');
  await signIn(page, citizen);
  await title(page, 'Sesiones y dispositivos');

  await page.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(page.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
  await page.goto('/seguridad');
  await title(page, 'Iniciá sesión');
  await expect(page.getByText('Tu sesión terminó'), 'no message that the session ended after a sign-out').toHaveCount(
    0,
  );
});

test('[SES-01] each tab with an expired token renews it at the broker, even when opened or reloaded during a renewal', async ({
  page,
  context,
  portal,
  allowProblem,
}) => {
  allowProblem(/net::ERR_FAILED/);
  test.slow();
  const citizen = createForeigner();
  await createAccount(portal, citizen);
  await openSignedIn(page, portal, citizen);
  const age = async () => {
    // leaves the portal, because an open page would store its token again or reload
    for (const each of context.pages()) await each.goto('/healthz');
    await page.evaluate(() =>
      localStorage.setItem(
        'portal',
        JSON.stringify({ token: `e30.${btoa(JSON.stringify({ exp: 1, cid: 'x', idp: '' }))}.x`, flows: {} }),
      ),
    );
  };
  const questions: string[] = [];
  context.on('page', (each) =>
    each.on('framenavigated', (frame) => void (frame.url().includes('/login') && questions.push(frame.url()))),
  );
  page.on('framenavigated', (frame) => void (frame.url().includes('/login') && questions.push(frame.url())));
  let broker: 'silent' | 'reached' | 'unreached' = 'silent';
  const held: (() => void)[] = [];
  await context.route('**/jwt/obtain/', async (route) => {
    if (broker === 'silent')
      held.push(() => void route.continue().catch(() => undefined)); // ignores an error, because the reload has aborted the pending request
    else await (broker === 'reached' ? route.continue() : route.abort());
  });
  await age();
  await page.goto('/seguridad/sesiones', { waitUntil: 'commit' });
  await expect.poll(() => held.length).toBe(1);
  const second = await context.newPage();
  await second.goto('/seguridad/mis-datos');
  await expect.poll(() => held.length).toBe(2);
  await page.bringToFront();
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => held.length).toBe(3);
  broker = 'reached';
  for (const release of held) release();
  await title(page, 'Sesiones y dispositivos');
  await second.bringToFront();
  await title(second, 'Tus datos');

  broker = 'unreached';
  await age();
  await second.goto('/seguridad/mis-datos');
  await title(second, 'No pudimos mostrar esta página');
  broker = 'reached';
  await second.reload();
  await title(second, 'Tus datos');
  expect(questions).toEqual([]);

  await second.getByRole('link', { name: 'Cerrar sesión' }).click();
  await expect(second.getByRole('link', { name: 'Iniciar sesión' }).first()).toBeVisible();
  await second.goto('/seguridad');
  await title(second, 'Iniciá sesión');
  await expect(second.getByText('Tu sesión terminó'), 'no message that the session ended after a sign-out').toHaveCount(
    0,
  );
});

test('a sign-in announces its end two minutes before without moving the focus, and a restart keeps the document', async ({
  page,
  axe,
}) => {
  await page.clock.install();
  await page.goto('/login');
  await completeDocumentStep(page, activeSampleCitizen);
  await title(page, 'Ingresá tu contraseña');
  await password(page).pressSequentially('tres-tazas');
  const told = page
    .getByRole('status')
    .filter({ hasText: 'Te quedan menos de 2 minutos para terminar de iniciar sesión.' });
  await page.clock.fastForward('07:50');
  await expect(told).toHaveCount(0);
  await page.clock.fastForward('00:20');
  await expect(told).toBeVisible();
  await expect(password(page)).toBeFocused();
  await expect(password(page)).toHaveValue('tres-tazas');
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Empezar de nuevo con el mismo documento' }).click();
  await expect(page.getByLabel('Número de cédula')).toHaveValue(activeSampleCitizen.document);
});
