import type { Page } from '@playwright/test';
import { registerByHttp } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { findLink } from './support/outbox.ts';
import {
  activeSampleCitizen,
  completeDocumentStep,
  createForeigner,
  fillRegistration,
  signIn,
} from './support/registration.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('[ERR-03] the portal works if the browser blocks local storage', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    }),
  );
  await page.goto('/login');
  await signIn(page, activeSampleCitizen);
  await page.getByRole('banner').getByRole('link', { name: 'Seguridad' }).click();
  await expect(title(page)).toHaveText('Seguridad');
});

test('[ERR-03] a portal that fails to load reloads once, then shows a message with links to reload and Contacto', async ({
  page,
  allowProblem,
}) => {
  allowProblem(/Failed to load resource|Failed to fetch dynamically imported module|net::ERR_/);
  let loads = 0; // counts page loads instead of requests, because a browser may request a missing script twice: the preload fails too
  page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
  await page.route('**/assets/start-*.js', (route) => route.abort());
  await page.goto('/login', { waitUntil: 'commit' });
  const words = page.getByText('La página tarda más de lo normal.');
  await expect(page.locator('body')).toHaveClass('not-started');
  expect(loads).toBe(2);
  await expect(words).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Contacto' })).toHaveAttribute('href', '/contacto');
  await page.unroute('**/assets/start-*.js');
  await page.getByRole('link', { name: 'Recargar la página' }).click();
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
});

test('[ERR-03] a portal whose scripts stay pending shows a message after 20 seconds', async ({ page }) => {
  await page.route('**/assets/*.js', () => undefined); // never responds, so that the request stays pending
  await page.goto('/login', { waitUntil: 'commit' });
  const words = page.getByText('La página tarda más de lo normal.');
  await expect(words).toBeAttached();
  await expect(words).toBeHidden();
  await page.evaluate(() => document.getAnimations().forEach((animation) => (animation.currentTime = 19_900)));
  await expect(words).toBeVisible({ timeout: 5_000 });
});

test('[ERR-03 INI-08] a slow page is announced, and an unreachable page shows a focused heading with a retry', async ({
  page,
  context,
  allowProblem,
}) => {
  allowProblem(/Failed to load resource|Failed to fetch dynamically imported module|net::ERR_/);
  await page.goto('/login');
  let letIn = (): void => undefined;
  const wait = new Promise<void>((resolve) => (letIn = resolve));
  await page.route(/\/definitions\/.*registro/, async (route) => {
    await wait;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Registrate' }).click();
  await expect(page.locator('#root > [role=status]')).toHaveText('Cargando...');
  letIn();
  await expect(title(page)).toHaveText('Registrate');
  await expect(page.locator('#root > [role=status]')).toHaveText('');

  await page.goto('/registro');
  await context.setOffline(true);
  await page.getByRole('banner').getByRole('link', { name: 'Iniciar sesión' }).click();
  await expect(title(page)).toHaveText('No pudimos mostrar esta página');
  await expect(title(page)).toBeFocused();
  const refused = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD'); // HEAD checks whether the server is reachable
  await page.getByRole('button', { name: 'Probar de nuevo' }).click();
  await refused;
  await expect(title(page), 'the page stays while offline').toHaveText('No pudimos mostrar esta página');
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Probar de nuevo' }).click();
  await expect(title(page)).toHaveText('Iniciá sesión');
});

test('[CFG-02] a language change keeps the input, the step and an activation link', async ({ page, mail, portal }) => {
  const person = createForeigner();
  await page.goto('/registro');
  await fillRegistration(page, person);
  await page.getByRole('link', { name: 'Português' }).click();
  await expect(title(page)).toHaveText('A sua senha');
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
  await expect(page).toHaveTitle(/^A sua senha/);
  await expect(page.getByRole('link', { name: 'Español' })).toBeFocused();
  await expect(page.locator('[name=password]')).toHaveValue(person.password);
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(title(page)).toHaveText('Tu contraseña');
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue(person.password);

  await registerByHttp(portal, person);
  await page.goto(findLink(await mail(person.email), 'uuid='));
  await page.getByRole('link', { name: 'Português' }).click();
  await page.getByRole('button', { name: 'Ativar conta' }).click();
  await expect(title(page)).toHaveText('A sua conta foi ativada');
  await page.reload();
  await expect(page.locator('html'), 'the language is stored in a cookie').toHaveAttribute('lang', 'pt');
});

for (const { note, refused, times = 2 } of [
  { note: 'all assets', refused: /\/assets\// },
  { note: 'the first script', refused: /\/assets\/first-/ },
  { note: 'the start script', refused: /\/assets\/start-/, times: 4 }, // each page load retries the script once, and the portal reloads the page once
])
  test(`[ERR-03 OPER-08] a page with ${note} returning 503 at first announces the delay, disables its form and recovers`, async ({
    page,
    allowProblem,
  }) => {
    allowProblem(/Failed to load resource|Failed to fetch dynamically imported module|net::ERR_|Unable to preload CSS/);
    const asked = new Map<string, number>();
    await page.route(refused, async (route) => {
      const url = route.request().url();
      asked.set(url, (asked.get(url) ?? 0) + 1);
      if ((asked.get(url) ?? 0) > times) return route.continue();
      return route.fulfill({ status: 503, headers: { 'retry-after': '5' }, body: '{}' });
    });
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () =>
        new MutationObserver(() => {
          const status = document.querySelector('body > [role=status]:not(:empty)');
          if (!status || sessionStorage.getItem('said') !== null) return;
          const form = document.querySelector('#prerendered form');
          sessionStorage.setItem('said', status.textContent ?? '');
          sessionStorage.setItem(
            'form',
            [form?.hasAttribute('inert'), form && getComputedStyle(form).opacity].join(' '),
          );
        }).observe(document.body, { childList: true, subtree: true }),
      ),
    );
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(page.locator('#prerendered')).toHaveCount(0, { timeout: 30_000 });
    await page.unroute(refused);
    await completeDocumentStep(page, activeSampleCitizen);
    const said = await page.evaluate(() => [sessionStorage.getItem('said'), sessionStorage.getItem('form')]);
    expect(said).toEqual([
      'La página todavía no terminó de cargar. Seguimos probando: esperá unos segundos.',
      'true 0.5',
    ]);
  });
