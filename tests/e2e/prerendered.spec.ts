import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
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

test.describe('portal without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('[INI+PINTURA] shows help and legal texts with working links, and says that a form needs JavaScript', async ({
    page,
  }) => {
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
    await expect(page.locator('form'), 'the form is inert without scripts').toHaveAttribute('inert');
    await page.goto('/no-existe', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Te perdiste');
    await expect(page.locator('main')).not.toContainText('formulario');
    await expect(page.getByText('Cargando...')).toBeHidden();
  });

  test('[INI-09 INI+BUSQUEDA] searches the help from the not-found page', async ({ page }) => {
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
  test(`[INI+PINTURA] ${path} is shown before its script loads, and keeps focus and layout once the portal starts`, async ({
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
    await expect(page.locator('#prerendered .header'), 'the styles are loaded').toHaveCSS('display', 'flex');
    await page.evaluate(() => document.fonts.ready);
    expect(await axe()).toEqual([]);
    const link = page.getByRole('banner').getByRole('link', { name: 'Usuario digital' });
    await link.focus();
    await page.evaluate(() => scrollTo(0, 0));
    letIn();
    await expect(page.locator('#prerendered')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(link, 'the focus is transferred').toBeFocused();
    await page.waitForTimeout(500); // time for a late layout shift
    expect(Number(await page.evaluate(() => sessionStorage.getItem('shift')))).toBeLessThan(0.05);
  });
}

test('[INI+PINTURA] the portal loads the style sheet of the document again, which replaces fonts after the first paint', async ({
  page,
}) => {
  await page.goto('/registro', { waitUntil: 'commit' });
  const countFonts = () => page.evaluate(() => document.fonts.size);
  await expect(page.locator('#prerendered h1')).toBeVisible();
  const count = await countFonts();
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect([await countFonts(), count]).toEqual([6, 6]);
});

test('[INI+PINTURA] a prerendered page can be read and its links work if the script of the portal fails to load', async ({
  page,
  allowProblem,
}) => {
  allowProblem(/Failed to load resource|dynamically imported module/);
  await page.route('**/assets/start-*.js', (route) => route.abort());
  await page.goto('/ayuda/perdi-mi-celular', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
  await page.waitForTimeout(500);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Perdí o cambié mi celular');
  await page.getByRole('navigation', { name: 'Estás en' }).getByRole('link', { name: 'Preguntas frecuentes' }).click();
  await expect(page).toHaveURL('/ayuda');
});

test('[INI+PINTURA] information pages stay prerendered, and only prefetch the portal on the first pointer movement', async ({
  context,
}) => {
  const paths = [
    '/',
    '/ayuda',
    '/ayuda/perdi-mi-celular',
    '/acerca-de',
    '/error?errorCode=IDP_ERROR',
    '/no-existe',
  ] as const;
  for (const path of paths)
    await test.step(path, async () => {
      const page = await context.newPage();
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      const countStarts = () => requested.filter((name) => name.startsWith('/assets/start-')).length;
      await page.goto(path, { waitUntil: 'load' });
      await expect(page.getByRole('banner').getByRole('link', { name: 'Registrate' })).toBeVisible();
      await page.waitForLoadState('networkidle');
      expect(countStarts()).toBe(0);
      await page.mouse.move(200, 200);
      await expect.poll(countStarts).toBeGreaterThan(0);
      await page.waitForTimeout(500); // time in which the portal could start late
      await expect(page.locator('#prerendered')).toBeVisible();
      await expect(page.locator('#root')).toBeEmpty();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      await page.close();
    });
});

test('[INI+PINTURA] a link of a prerendered page is prefetched while it is pressed', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('main').getByRole('link', { name: 'Preguntas frecuentes' }).click({ delay: 500 });
  await expect(page).toHaveURL('/ayuda');
  expect(
    await page.evaluate(() =>
      performance.getEntriesByType('navigation').map((entry) => ('deliveryType' in entry ? entry.deliveryType : '')),
    ),
  ).toEqual(['navigational-prefetch']);
});

test('[INI+PINTURA INI+BUSQUEDA] a help search that begins before the script loads keeps its input and focus, and then continues', async ({
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

test('[INI-09 INI+BUSQUEDA] the search on an error page works without the portal, and its results remain once the portal starts', async ({
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
  test(`[INI+PINTURA LOG-01] /login accepts input and ${press} before its script loads, and then opens the password step`, async ({
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

test('[INI+PINTURA VAL-01] a field that was left with an error before the script loads shows the error once the portal starts', async ({
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

test('[INI+PINTURA VAL-06] forms with a document are prerendered with the document type of their default country', async ({
  page,
}) => {
  for (const path of [
    '/registro',
    '/registro/reenviar-link-activacion',
    '/contacto',
    '/contacto-videollamada',
    '/contraseña/restablecer',
  ])
    await test.step(path, async () => {
      const letIn = await holdPortal(page);
      await page.goto(path, { waitUntil: 'commit' });
      const early = page.locator('#prerendered').getByLabel('Tipo de documento');
      await expect(early.locator('option:checked')).toHaveText('Cédula de identidad');
      letIn();
      await expect(page.locator('#prerendered')).toHaveCount(0);
      await expect(page.getByLabel('Tipo de documento').locator('option:checked')).toHaveText('Cédula de identidad');
      await page.unroute('**/assets/start-*.js');
    });
});

test('[INI+PINTURA] a prerendered form stays empty after a reload, although its fields had input before', async ({
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

test('[INI+PINTURA] a page with portal state in its history starts the portal again after a reload', async ({
  page,
}) => {
  await page.goto('/ayuda');
  await page.getByRole('searchbox').fill('celular');
  await expect(page.locator('#prerendered')).toHaveCount(0);
  await page.reload();
  await expect(page.locator('#root main')).toBeVisible();
  await expect(page.locator('#prerendered')).toHaveCount(0);
});

test('[INI+PINTURA CFG-02] the error page keeps its error code when the language changes', async ({ page }) => {
  await page.goto('/error?errorCode=UNREGISTERED_USER');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No estás registrado');
  await page.getByRole('link', { name: 'Português' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'pt');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Você não está cadastrado');
});

test('[INI+PINTURA] the prerendered home page becomes the home page of a citizen who signs in in another tab', async ({
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

test('[INI+PINTURA] the prerender bundle imports only its own files and built-in modules of Node', () => {
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

test('[INI+PINTURA] the main content keeps the focus of the skip link once the portal starts', async ({ page }) => {
  const letIn = await holdPortal(page);
  await page.goto('/login', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'Saltar al contenido' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#prerendered main')).toBeFocused();
  letIn();
  await page.locator('#prerendered').waitFor({ state: 'detached' });
  await expect(page.locator('#root main')).toBeFocused();
});
