import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readScreenFixtures } from '../definitions/support/fixtures.ts';
import { isMarkdownFile } from '../../src/engine/compiler/files/read-definition-files.ts';
import { expect, test } from './support/studio.ts';

test('[QA+GALERIA] the development views link to each other, and the gallery lists every screen and counts all cases', async ({
  page,
  own: { project },
  axe,
}) => {
  const response = await page.goto('/_dev');
  expect(response?.status()).toBe(200);
  const views = ['Estudio', 'Pantallas', 'Recorridos', 'Operaciones'];
  await expect(page.getByRole('term')).toHaveText(views);
  await expect(page.getByRole('definition')).toHaveText(views.map(() => /^(Editá|Mirá|Consultá) .+\.$/));
  expect(await axe()).toEqual([]);
  const links = page.getByRole('navigation', { name: 'Vistas de desarrollo' }).getByRole('link');
  await page.getByRole('link', { name: 'Operaciones' }).click();
  for (const view of [...views].reverse()) {
    await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible();
    await expect(links).toHaveText(views);
    await expect(links.and(page.locator('[aria-current=page]'))).toHaveText([view]);
    await links.nth(Math.max(views.indexOf(view) - 1, 0)).click();
  }

  const gallery = await page.goto('/_dev/pantallas');
  expect(gallery?.headers()['content-security-policy']).toMatch(/frame-ancestors 'self'.*frame-src 'self'/);
  const listed = page.locator('[data-gallery-screen]');
  await expect(listed.first()).toBeVisible();
  const folders = (await readdir(join(project.root, 'schemas')))
    .filter((name) => !name.startsWith('_') && !isMarkdownFile(name))
    .sort();
  const names = await listed.evaluateAll((sections) => sections.map(({ dataset }) => dataset.galleryScreen));
  expect(names.toSorted()).toEqual(folders);
  const areas = page.getByRole('heading', { level: 2 });
  await expect(areas.first()).toHaveText('Ayuda y contacto');
  await expect(areas.last()).toHaveText('Registro');
  const cases = folders.flatMap((name) => readScreenFixtures(name).cases);
  await expect(page.getByRole('status')).toContainText(
    `Pantallas: ${folders.length}. Casos: ${cases.length}. Sin casos: 0.`,
  );

  await page.getByLabel('Nombre').fill('login-ci');
  await expect(listed).toHaveCount(1);
  await expect(page).toHaveURL(/\?name=login-ci$/);
  await expect(page.getByText('schemas/login-ci/ui.pt.json')).toBeVisible();
});

test('[QA+GALERIA] the gallery draws a case in both languages and widths, and only its own page lets an error take the focus', async ({
  page,
  axe,
}) => {
  await page.goto('/_dev/pantallas?screen=login&lang=es&width=360'); // shows one language and width; the link of a case, clicked below, shows both languages at both widths
  await page.getByLabel('Solo casos con errores').check();
  const shown = page.locator('[data-fixture]');
  await expect(page.locator('[data-fixture="valid"]')).toHaveCount(0);
  await shown.getByRole('link', { name: 'check-digit', exact: true }).click();
  await expect(shown).toHaveCount(1);
  await expect(shown).toContainText('Un dígito verificador equivocado. tests/fixtures/login.json');
  await expect(shown.getByRole('listitem')).toHaveText('username El documento no es válido.');

  const drawing = (title: string) => page.getByRole('figure').filter({ hasText: title });
  for (const [title, width, message] of [
    ['Español, 360 px', 360, 'El documento no es válido.'],
    ['Español, 1280 px', 1280, 'El documento no es válido.'],
    ['Portugués, 360 px', 360, 'O documento não é válido.'],
    ['Portugués, 1280 px', 1280, 'O documento não é válido.'],
  ] as const) {
    await drawing(title).scrollIntoViewIfNeeded();
    const inside = drawing(title).locator(`iframe[title="login check-digit: ${title}"]`).contentFrame();
    await expect(inside.getByRole('textbox')).toHaveAccessibleDescription(new RegExp(message));
    await expect(inside.getByRole('alert'), 'error of the only field in its form').toHaveText(message);
    expect(await inside.locator('html').evaluate(() => innerWidth)).toBe(width);
  }
  expect(await axe()).toEqual([]);

  await page.getByRole('link', { name: 'Portugués, 360 px' }).click();
  await expect(page.locator('iframe')).toHaveCount(1);
  expect(new URL(page.url()).search).toBe('?screen=login&fixture=check-digit&lang=pt&width=360');

  await page.goto('/_dev/pantallas?screen=login&fixture=check-digit&lang=es&width=360');
  await page.getByLabel('Nombre').focus();
  await expect(page.locator('iframe').contentFrame().getByRole('alert')).toBeVisible();
  await expect(page.locator('iframe').contentFrame().locator('main')).not.toHaveAttribute('inert');
  await expect(page.getByLabel('Nombre')).toBeFocused();
  await page.getByRole('link', { name: 'Abrir sola' }).click();
  await expect(page.getByLabel('Número de cédula'), 'focus on the only field of the form').toBeFocused();
  expect((await page.goto('/_dev/dibujo?screen=login&fixture=nada'))?.status()).toBe(404);
  await expect(page.getByRole('alert')).toHaveText('No hay tal caso.');
});

test('[QA+GALERIA] the gallery shows an edited text and an edited case without a manual reload', async ({
  page,
  own: { project },
}) => {
  await page.goto('/_dev/pantallas?screen=login&fixture=valid&lang=es&width=360');
  const heading = page.locator('iframe').contentFrame().getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Iniciá sesión');
  await project.edit('schemas/login/ui.json', '"Iniciá sesión"', '"Entrá con tu documento"');
  await expect(heading).toHaveText('Entrá con tu documento');
  await project.restore('schemas/login/ui.json');
  await expect(heading).toHaveText('Iniciá sesión');

  const file = 'tests/fixtures/login.json';
  const note = 'Una cédula uruguaya.';
  await project.edit(file, '"username": "12345672"', '"username": "12345670"');
  await expect(
    page.getByText('username: el caso no espera nada y las reglas dicen «El documento no es válido.».'),
  ).toBeVisible();
  await project.restore(file);
  await expect(page.getByText('Casos que ya no coinciden: 0.')).toBeVisible();
  await expect(page.getByText(note)).toBeVisible();
});

test('[QA+GALERIA] a gallery page that was loading during a change shows it, even if another page is connected to the server', async ({
  page,
  context,
  own: { project },
  portal,
}) => {
  const address = '/_dev/pantallas';
  const problem = 'schemas/novedades/ui.json:1:1 Ningún flujo muestra la pantalla';
  let held = false;
  const other = await context.newPage();
  const listens = other.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await other.goto(address);
  await listens;
  await page.route('**/@vite/client', async (route) => {
    if (!held) {
      held = true;
      await project.write('schemas/novedades/ui.json', { title: 'Novedades' });
      await expect.poll(async () => (await fetch(portal.url + address)).text()).toContain(problem);
    }
    await route.continue();
  });
  await page.goto(address);
  await expect(page.getByRole('alert')).toContainText(problem);
  await project.restore('schemas/novedades');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('[QA+GALERIA] the gallery marks definition errors, broken cases and screens without cases, and draws those screens empty', async ({
  page,
  own: { project },
}) => {
  await project.write('schemas/novedades/ui.json', { title: 'Novedades', intro: 'Hay una página nueva.' });
  await project.write('schemas/novedades/ui.pt.json', { title: 'Novidades', intro: 'Há uma página nova.' });
  await project.edit('tests/fixtures/login-ci.json', '"cases": {', '"cases": { "otro": { "datos": {} },');
  const section = (name: string) => page.locator(`[data-gallery-screen="${name}"]`);
  await page.goto('/_dev/pantallas?marked=true&lang=pt&width=360');
  await expect(page.getByRole('alert')).toContainText('schemas/novedades/ui.json:1:1 Ningún flujo muestra la pantalla');
  await project.edit(
    'flows/inicio.json',
    '"states": {',
    '"states": { "novedades": { "path": "/novedades", "screen": "novedades", "type": "final" },',
  );
  await expect(section('novedades').getByText('Sin casos')).toBeVisible();
  await expect(section('login-ci').getByText('Ya no coinciden: 1')).toBeVisible();
  await section('novedades').getByRole('heading').click();
  const drawing = section('novedades').getByRole('figure').filter({ hasText: 'Portugués, 360 px' });
  await drawing.scrollIntoViewIfNeeded();
  await expect(drawing.locator('iframe').contentFrame().getByRole('heading')).toHaveText('Novidades');
  await section('login-ci').getByRole('heading').click();
  await expect(section('login-ci').getByText('Al caso le falta o le sobra algo')).toBeVisible();
  await project.restore('flows/inicio.json');
  await project.restore('schemas/novedades');
  await project.restore('tests/fixtures/login-ci.json');
  // Waits until the page has reloaded, because a later reload would affect the next test.
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(section('novedades')).toHaveCount(0);
  await expect(section('login-ci').getByText('Ya no coinciden: 1')).toHaveCount(0);
});

test('[QA+GALERIA] the flow view draws each flow with its states, and lists their guards, calls and steps', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.goto('/_dev/flujos');
  const editor = await page.request.get('/__open-in-editor?file=package.json');
  expect(editor.status(), 'no page can start an editor').toBe(404);
  const ids = (await readdir(join(project.root, 'flows')))
    .sort()
    .flatMap((file) => (file.endsWith('.json') ? file.slice(0, -5) : []));
  const journeys = page.getByRole('navigation', { name: 'Recorridos', exact: true });
  await expect(journeys.getByRole('link')).toHaveCount(ids.length);
  // Retries, because the page may reload and lose the input: the files of the previous test were just restored.
  await expect(async () => {
    expect((await journeys.locator('code').allTextContents()).toSorted()).toEqual(ids.toSorted());
  }).toPass();
  await expect(journeys.locator('strong').first()).toHaveText('Ayuda y contacto');
  await expect(async () => {
    await page.getByLabel('Buscar recorrido').fill('REGISTRATE');
    await expect(journeys.getByRole('link')).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await journeys.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 2 }), 'one flow is shown at a time').toHaveText([
    'Registrate registro',
  ]);
  const flow = JSON.parse(await readFile(join(project.root, 'flows/registro.json'), 'utf8')) as { states: object }; // the cast is safe, because the compiler has validated the file
  const drawing = page.getByRole('group', { name: 'Estados de registro y a dónde lleva cada uno' });
  await expect(drawing.getByRole('link')).toHaveCount(Object.keys(flow.states).length);
  const width = async () => Number(await drawing.getAttribute('width'));
  const before = await width();
  // Retries, because the page may reload and lose the input.
  await expect(async () => {
    await drawing.getByRole('link', { name: 'Tu contraseña /registro/contraseña' }).focus();
    await page.keyboard.press('+');
    expect(await width()).toBeGreaterThan(before);
  }).toPass();
  await page.keyboard.press('ArrowUp');
  await expect(drawing.locator('[data-state="correo"]')).toBeFocused();
  await drawing.getByRole('link', { name: 'Tu contraseña /registro/contraseña' }).click();
  const beside = page.frameLocator('iframe').getByRole('heading', { level: 1 });
  await expect(beside, 'screen of the selected state').toHaveText('Tu contraseña');
  const state = page.locator('[id="registro.contrasena"]');
  await expect(
    state
      .getByRole('listitem')
      .filter({ hasText: 'registerCitizen si falla si el código del error es «ya_registrado»' }),
  ).toContainText('Registrate yaRegistrado');
  await page.goto('/_dev/flujos#segundo-factor');
  const steps = page.locator('#segundo-factor').getByRole('list', { name: 'Pasos' });
  await expect(steps.nth(2).getByRole('listitem')).toHaveText([
    'Elegir cómo (sin barra)',
    'Agregar la cuenta',
    'Comprobar',
  ]);
  expect(await axe()).toEqual([]);
  await page.goto('/_dev/flujos#registro.contrasena');
  await state.getByRole('link', { name: 'registro-contrasena', exact: true }).click();
  await expect(page.locator('[data-gallery-screen]')).toHaveAttribute('data-gallery-screen', 'registro-contrasena');
});
