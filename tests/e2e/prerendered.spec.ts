import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { projectRoot } from './support/portal.ts';
import { activeSampleCitizen, signIn } from './support/registration.ts';

/** Blocks the portal's script. Returns the function that unblocks it. */
async function holdPortal(page: Page): Promise<() => void> {
  let letIn = (): void => undefined;
  const wait = new Promise<void>((resolve) => (letIn = resolve));
  await page.route('**/assets/start-*.js', async (route) => {
    await wait;
    await route.continue();
  });
  return letIn;
}

const forms = [
  { path: '/login', heading: 'Iniciá sesión' },
  { path: '/registro', heading: 'Registrate' },
];

test.describe('without a script', () => {
  test.use({ javaScriptEnabled: false });

  test('[INI+PINTURA] help and legal texts are read and followed, a form says what it needs', async ({ page }) => {
    await page.goto('/', { waitUntil: 'commit' });
    await page.getByRole('main').getByRole('link', { name: 'Preguntas frecuentes' }).click();
    await expect(page).toHaveTitle('Preguntas frecuentes - Usuario digital');
    await page.getByRole('link', { name: '¿Cómo me registro?' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('¿Cómo me registro?');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Términos y condiciones' }).click();
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Registrate' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Registrate');
    await expect(page.locator('noscript .problems')).toHaveText(/^Este formulario necesita JavaScript/);
    await expect(page.locator('form'), 'a form that nobody answers is closed').toHaveAttribute('inert');
    await page.goto('/no-existe', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Te perdiste');
    await expect(page.locator('main')).not.toContainText('formulario');
    await expect(page.getByText('Cargando...')).toBeHidden();
  });

  test('[INI-09 INI+BUSQUEDA] the search of an error page shows its results in the help', async ({ page }) => {
    await page.goto('/no-existe', { waitUntil: 'commit' });
    await page.getByRole('searchbox', { name: 'Buscar en las preguntas frecuentes' }).fill('PERDI celular');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/ayuda?busqueda=PERDI+celular');
    await expect(page.getByText(/^Encontramos \d+ preguntas?\.$/)).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: '¿Cómo me registro?' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Perdí o cambié mi celular' }).click();
    await expect(page).toHaveURL('/ayuda/perdi-mi-celular');
  });
});

for (const { path, heading } of forms) {
  test(`[INI+PINTURA] ${path} stands before its script comes, and nothing moves when it does`, async ({
    page,
    axe,
  }) => {
    const letIn = await holdPortal(page);
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          sessionStorage.setItem(
            'shift',
            String(Number(sessionStorage.getItem('shift')) + (entry as PerformanceEntry & { value: number }).value),
          );
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.locator('#prerendered h1')).toHaveText(heading);
    await expect(page.locator('#prerendered .header'), 'its styles are there').toHaveCSS('display', 'flex');
    await page.evaluate(() => document.fonts.ready);
    expect(await axe()).toEqual([]);
    const link = page.getByRole('banner').getByRole('link', { name: 'Usuario digital' });
    await link.focus();
    await page.evaluate(() => scrollTo(0, 0));
    letIn();
    await expect(page.locator('#prerendered')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(link, 'the focus goes over').toBeFocused();
    await page.waitForTimeout(500); // time for a late layout shift
    expect(Number(await page.evaluate(() => sessionStorage.getItem('shift')))).toBeLessThan(0.05);
  });
}

test('[INI+PINTURA] a script that cannot be loaded leaves the page to be read', async ({ page, allowProblem }) => {
  allowProblem(/Failed to load resource|dynamically imported module/);
  await page.route('**/assets/start-*.js', (route) => route.abort());
  await page.goto('/ayuda/perdi-mi-celular', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
  await page.waitForTimeout(500);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perdí o cambié mi celular');
  await page.getByRole('navigation', { name: 'Estás en' }).getByRole('link', { name: 'Preguntas frecuentes' }).click();
  await expect(page).toHaveURL('/ayuda');
});

for (const path of [
  '/',
  '/ayuda',
  '/ayuda/perdi-mi-celular',
  '/acerca-de',
  '/error?errorCode=IDP_ERROR',
  '/no-existe',
]) {
  test(`[INI+PINTURA] ${path} stands as it came; at the first intent it fetches the portal, and does not start it`, async ({
    page,
    axe,
  }) => {
    const fetched: string[] = [];
    page.on('requestfinished', (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(path, { waitUntil: 'load' });
    await expect(page.getByRole('banner').getByRole('link', { name: 'Registrate' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(fetched.filter((name) => name.startsWith('/assets/start-'))).toEqual([]);
    await page.mouse.move(200, 200);
    await expect.poll(() => fetched.some((name) => name.startsWith('/assets/start-'))).toBe(true);
    await page.waitForTimeout(500); // time for a late start
    await expect(page.locator('#prerendered')).toBeVisible();
    await expect(page.locator('#root')).toBeEmpty();
    expect(await axe()).toEqual([]);
  });
}

test('[INI+PINTURA] a link of a page of information is fetched ahead while it is pressed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Preguntas frecuentes' }).click({ delay: 500 });
  await expect(page).toHaveURL('/ayuda');
  expect(
    await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => ('deliveryType' in entry ? entry.deliveryType : '')),
    ),
  ).toEqual(['navigational-prefetch']);
});

test('[INI+PINTURA INI+BUSQUEDA] who searches the help begins before the script is there, and goes on where it was', async ({
  page,
}) => {
  const letIn = await holdPortal(page);
  await page.goto('/ayuda');
  const search = page.getByRole('searchbox', { name: 'Buscar en las preguntas' });
  await search.focus();
  await page.keyboard.type('perdi');
  await expect(page.locator('#prerendered').getByRole('searchbox')).toHaveValue('perdi');
  letIn();
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await expect(search).toBeFocused();
  await page.keyboard.type(' celular');
  await expect(search).toHaveValue('perdi celular');
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^Encontramos \d+ preguntas?\.$/);
});

test('[INI-09 INI+BUSQUEDA] a search on an error page needs no portal, and its results stay when the portal takes over', async ({
  page,
}) => {
  await page.goto('/no-existe');
  await page.getByRole('searchbox').fill('PERDI celular');
  await expect(page.locator('#root')).toBeEmpty();
  await page.getByRole('button', { name: 'Buscar en las preguntas frecuentes' }).click();
  const other = page.getByRole('main').getByRole('link', { name: '¿Cómo me registro?' });
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^Encontramos \d+ preguntas?\.$/);
  await expect(other).toHaveCount(0);
  const search = page.getByRole('searchbox', { name: 'Buscar en las preguntas' });
  await expect(search).toHaveValue('PERDI celular');
  await search.focus();
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await expect(search).toBeFocused();
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^Encontramos \d+ preguntas?\.$/);
  await expect(other).toHaveCount(0);
});

for (const press of ['Enter', 'the button'])
  test(`[INI+PINTURA LOG-01] who signs in types and presses ${press} before the script is there, and comes to the password`, async ({
    page,
  }) => {
    const letIn = await holdPortal(page);
    await page.goto('/login', { waitUntil: 'commit' });
    const field = page.locator('#prerendered').getByLabel('Número de cédula');
    await field.click();
    await page.keyboard.type('45123784');
    if (press === 'Enter') await page.keyboard.press('Enter');
    else await page.locator('#prerendered').getByRole('button', { name: 'Continuar' }).click({ force: true }); // `force`, because the button is disabled until the portal has started
    await expect(page).toHaveURL('/login');
    await expect(page.locator('#prerendered')).toBeVisible();
    letIn();
    await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible();
    await expect(page.locator('#prerendered')).toHaveCount(0);
  });

test('[INI+PINTURA VAL-01] what is wrong in a field that was left before the script is there is said once it is', async ({
  page,
}) => {
  const letIn = await holdPortal(page);
  await page.goto('/registro', { waitUntil: 'commit' });
  const early = page.locator('#prerendered').getByLabel('Número de documento');
  await early.click();
  await page.keyboard.type('45123785');
  await page.keyboard.press('Tab');
  letIn();
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await expect(page.getByLabel('Número de documento')).toHaveAccessibleDescription(/no es válido|dígito/i);
});

for (const path of [
  '/registro',
  '/registro/reenviar-link-activacion',
  '/contacto',
  '/contacto-videollamada',
  '/contraseña/restablecer',
])
  test(`[INI+PINTURA VAL-06] ${path} is drawn with the type of document that its country decides`, async ({ page }) => {
    const letIn = await holdPortal(page);
    await page.goto(path, { waitUntil: 'commit' });
    const early = page.locator('#prerendered').getByLabel('Tipo de documento');
    await expect(early.locator('option:checked')).toHaveText('Cédula de identidad');
    letIn();
    await expect(page.locator('#prerendered')).toHaveCount(0);
    await expect(page.getByLabel('Tipo de documento').locator('option:checked')).toHaveText('Cédula de identidad');
  });

test('[INI+PINTURA] a browser enters nothing of a former visit into a form that no script has opened', async ({
  page,
}) => {
  await page.goto('/registro');
  await page.getByLabel('Número de documento').fill('45123784');
  await page.route(
    '**/assets/start-*.js',
    (route) => new Promise((resolve) => setTimeout(() => resolve(route.continue()), 1500)),
  );
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('#prerendered').getByLabel('Número de documento')).toHaveValue('');
});

test("[INI+PINTURA] a page that the portal has written to the history is the portal's again after a reload", async ({
  page,
}) => {
  await page.goto('/ayuda');
  await page.getByRole('searchbox').fill('celular');
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await page.reload();
  await expect(page.locator('#root main')).toBeVisible();
  await expect(page.locator('#prerendered')).toHaveCount(0);
});

test('[INI+PINTURA CFG-02] a page of an error stays the same one in another language', async ({ page }) => {
  await page.goto('/error?errorCode=UNREGISTERED_USER');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No estás registrado');
  await page.getByRole('link', { name: 'Português' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você não está cadastrado');
});

test('[INI+PINTURA] a page of information becomes the home of who signs in in another tab', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Elegí la forma de identificarte digitalmente');
  const other = await context.newPage();
  await other.goto('/login');
  await signIn(other, activeSampleCitizen);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Hola, /);
});

test('[INI+PINTURA] the prerendering holds all that it draws with: a server that is built has no packages of the portal', () => {
  const folder = join(projectRoot, 'dist/portal/prerender');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const imported = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/^(?:import|export)\b[^;\n]*?["']([^"'\n]+)["'];?$/gm)].map(
      ([, from = '']) => from,
    ),
  );
  expect(imported.length).toBeGreaterThan(10);
  expect(imported.filter((name) => !name.startsWith('.') && !isBuiltin(name))).toEqual([]);
});

test('[INI+PINTURA] where the skip link has led before the script came, the focus is after it', async ({ page }) => {
  const letIn = await holdPortal(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#prerendered main')).toBeFocused();
  letIn();
  await page.locator('#prerendered').waitFor({ state: 'detached' });
  await expect(page.locator('#root main')).toBeFocused();
});
