import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { findAccessibilityProblems } from './support/axe.ts';
import { signInAtDesk } from './support/agents.ts';
import { expect, withOwnPortal } from './support/fixtures.ts';
import { startPortalProcess } from './support/portal.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';
import { fillRegistration, createForeigner } from './support/registration.ts';

/** Test with a development server on a copy of the project. Its pages show problems of the definitions. */
const test = withOwnPortal(async () => {
  const project = await copyProject();
  return {
    project,
    portal: await startPortalProcess(project.root, {
      NODE_ENV: 'development',
      SUPPORT_HOURS: 'mon-sun 09:00-10:00 x2',
    }),
    close: project.remove,
  };
});

test('[ANA-01] an edited text is on the page at its next load', async ({ page, own: { project } }) => {
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciá sesión');
  await project.edit('schemas/login/ui.json', '"Iniciá sesión"', '"Entrá con tu documento"');
  await expect
    .poll(async () => (await page.request.get('/login')).text(), { timeout: 30_000 })
    .toContain('Entrá con tu documento');
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Entrá con tu documento');
  await expect(page).toHaveTitle(/Entrá con tu documento/);
  await project.restore('schemas/login/ui.json');
});

test('[ANA-01] a folder of texts and a state in a flow are enough to add a page', async ({
  page,
  own: { project },
}) => {
  await project.write('schemas/novedades/ui.json', {
    title: 'Novedades',
    intro: 'Hay una página nueva.',
    links: [{ to: '/', text: 'Ir al inicio' }],
  });
  await project.write('schemas/novedades/ui.pt.json', {
    title: 'Novidades',
    intro: 'Há uma página nova.',
    links: { '/': 'Ir para o início' },
  });
  await project.edit(
    'flows/inicio.json',
    '"states": {',
    '"states": { "novedades": { "path": "/novedades", "screen": "novedades" },',
  );
  await openWhenLoaded(page, '/novedades');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Novedades');
  await expect(page.getByText('Hay una página nueva.')).toBeVisible();
  await project.restore('flows/inicio.json');
  await project.restore('schemas/novedades');
});

test('[ANA-02] a broken definition keeps the last valid version in service, and the page names file and line', async ({
  page,
  own: { project, portal },
}) => {
  const file = 'schemas/login/ui.json';
  const lines = (await readFile(join(project.root, file), 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes('"fields": {')) + 1;
  await project.edit(file, '"fields": {', '"fields": { "nadie": {},');
  await expect.poll(() => portal.output()).toMatch(new RegExp(`schemas/login/ui\\.json:${line}:\\d+ .*nadie`));
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Iniciá sesión');
  await expect(page.getByLabel('Número de cédula')).toBeVisible();
  await expect(page.getByRole('alert').getByText(`${file}:${line}:`)).toBeVisible();

  await project.edit(file, '"fields": {', '"fields": {{');
  await expect(async () => {
    await page.goto('/login');
    await expect(page.getByRole('alert')).toContainText(`${file}:${line}:`, { timeout: 1_000 });
    await expect(page.getByRole('alert')).not.toContainText('nadie', { timeout: 1_000 });
  }).toPass();
  await expect(page.getByLabel('Número de cédula')).toBeVisible();

  await project.restore(file);
  await expect(async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Número de cédula')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test('[LOG-16 ANA-01] the option `copy: false` keeps a field out of the clipboard and announces that it cannot be copied', async ({
  page,
  own: { project },
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/login');
  const number = page.getByLabel('Número de cédula');
  const clipboard = async (keys: string) => {
    await page.evaluate(() => navigator.clipboard.writeText('antes'));
    await number.fill('45123784');
    await number.selectText();
    await page.keyboard.press(keys);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await clipboard('Control+C')).toBe('45123784');
  await project.edit('schemas/login/ui.json', '"ui:options": {', '"ui:options": { "copy": false,');
  await expect(async () => {
    await page.goto('/login');
    await clipboard('Control+C');
    await expect(page.getByRole('status').getByText('No se puede copiar este campo')).toBeVisible({ timeout: 1_000 });
  }).toPass();
  for (const keys of ['Control+C', 'Control+X']) expect(await clipboard(keys)).toBe('antes');
  await expect(number).toHaveValue('45123784');
  await project.restore('schemas/login/ui.json');
});

test('[ANA-01 VAL-09] an open form adopts a changed rule after a rejected submit, and keeps its input', async ({
  page,
  own: { project },
  request,
}) => {
  const person = createForeigner();
  await page.goto('/registro');
  await fillRegistration(page, person);
  const versionNow = async (): Promise<unknown> => {
    const manifest = (await (await request.get('/definitions/manifest.json')).json()) as {
      screens: Record<string, { version: string }>;
    }; // cast: the server writes the manifest in this format
    return manifest.screens['registro-contrasena']?.version;
  };
  const before = await versionNow();
  await project.edit('schemas/_shared/password.json', '"minLength": 8', '"minLength": 30');
  await expect.poll(versionNow, { timeout: 30_000 }).not.toBe(before);

  const refused = page.waitForResponse((response) => response.status() === 409);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await refused;
  await expect(
    page.getByRole('group').filter({ hasText: 'El formulario cambió mientras lo completabas.' }),
  ).toBeFocused();
  const password = page.getByLabel('Contraseña', { exact: true });
  await expect(password).toHaveValue(person.password);
  await password.focus();
  await password.blur();
  await expect(password).toHaveAccessibleDescription(/Mínimo 30 caracteres de longitud/);
  const longer = `${person.password}-y-un-bizcocho`;
  await password.fill(longer);
  await page.getByLabel('Repetir contraseña').fill(longer);
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await page.getByRole('button', { name: 'Continuar' }).click();
  await expect(page.getByRole('heading', { name: 'Tu usuario fue creado correctamente' })).toBeVisible();
  await project.restore('schemas/_shared/password.json');
});

test('[ENG-06] a list is filled in, reordered, emptied and restored with the keyboard, and axe finds no problem', async ({
  page,
  own: { project },
}) => {
  const screen = (title: string, item: string, field: string) => ({
    title,
    fields: { hogar: { 'ui:title': title, items: { 'ui:title': item, nombre: { 'ui:title': field } } } },
  });
  await project.write('schemas/hogar/schema.json', {
    type: 'object',
    required: ['hogar'],
    properties: {
      hogar: {
        type: 'array',
        maxItems: 3,
        items: { type: 'object', required: ['nombre'], properties: { nombre: { type: 'string', minLength: 3 } } },
      },
    },
  });
  await project.write('schemas/hogar/ui.json', {
    ...screen('Tu hogar', 'Persona', 'Nombre'),
    actions: [{ event: 'submit', text: 'Seguir', primary: true }],
  });
  await project.write('schemas/hogar/ui.pt.json', {
    ...screen('Seu lar', 'Pessoa', 'Nome'),
    actions: { submit: 'Continuar' },
  });
  await project.edit(
    'flows/inicio.json',
    '"states": {',
    '"states": { "hogar": { "path": "/hogar", "screen": "hogar", "on": { "submit": "hogar" } },',
  );
  await openWhenLoaded(page, '/hogar');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const names = () =>
    page.getByRole('textbox').evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).value));
  await button('Agregar Persona').focus();
  for (const name of ['Ana', 'Beto', 'Ce']) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(name);
    await button('Agregar Persona').or(button('Seguir')).first().focus();
  }
  expect(await names()).toEqual(['Ana', 'Beto', 'Ce']);
  await expect(button('Agregar Persona'), 'no button for a fourth item').toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Persona 3, Nombre')).toBeVisible();
  await button('Subir Persona 3').focus();
  await page.keyboard.press('Enter');
  await expect(button('Subir Persona 2')).toBeFocused();
  await page.keyboard.press('Space');
  expect(await names()).toEqual(['Ce', 'Ana', 'Beto']);
  await button('Quitar Persona 2').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Persona 2', { exact: true })).toBeFocused();
  await expect(page.getByText('Se quitó Persona 2.')).toBeAttached();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  for (const part of await page.locator('[data-part]').all())
    expect((await part.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await button('Deshacer').focus();
  await page.keyboard.press('Enter');
  expect(await names()).toEqual(['Ce', 'Ana', 'Beto']);
  await project.restore('flows/inicio.json');
  await project.restore('schemas/hogar');
});

test('[ENG-07 ENG-09] a computed field is announced and choices follow another field, at both widths and in light and dark', async ({
  page,
  own: { project },
}) => {
  const screen = (title: string, names: readonly [string, string, string, string, string], send: string) => ({
    title,
    fields: {
      precio: { 'ui:title': names[0] },
      cantidad: { 'ui:title': names[1] },
      total: { 'ui:title': names[2] },
      fecha: { 'ui:title': names[3] },
      hora: {
        'ui:title': names[4],
        'ui:widget': 'select',
        'ui:options': { source: 'getSupportHours', params: { fecha: { var: 'form.fecha' } } },
      },
    },
    actions: [{ event: 'submit', text: send, primary: true }],
  });
  const number = { type: 'integer', minimum: 0, maximum: 999 };
  await project.write('schemas/pedido/schema.json', {
    type: 'object',
    required: ['precio', 'hora'],
    properties: {
      precio: number,
      cantidad: number,
      total: { type: 'integer' },
      fecha: { type: 'string', enum: ['lunes', 'martes'] },
      hora: { type: 'string' },
    },
    computed: { total: { '*': [{ var: 'form.precio' }, { var: 'form.cantidad' }] } },
  });
  const es = screen('Tu pedido', ['Precio', 'Cantidad', 'Total', 'Día', 'Hora'], 'Seguir');
  const pt = screen('Seu pedido', ['Preço', 'Quantidade', 'Total', 'Dia', 'Hora'], 'Continuar');
  const days = { 'ui:enumNames': ['Lunes', 'Martes'] };
  await project.write('schemas/pedido/ui.json', {
    ...es,
    fields: { ...es.fields, fecha: { ...es.fields.fecha, ...days } },
  });
  await project.write('schemas/pedido/ui.pt.json', {
    ...pt,
    fields: {
      ...pt.fields,
      fecha: { ...pt.fields.fecha, 'ui:enumNames': ['Segunda', 'Terça'] },
      hora: { 'ui:title': 'Hora' },
    },
    actions: { submit: 'Continuar' },
  });
  await project.edit(
    'flows/inicio.json',
    '"states": {',
    '"states": { "pedido": { "path": "/pedido", "screen": "pedido", "on": { "submit": "pedido" } },',
  );
  const hours = { lunes: ['9', '10'], martes: ['10', '11'] };
  await page.route('**/rest/disponibilidad-consulta/**', async (route) => {
    const day = new URL(route.request().url()).searchParams.get('fecha') as keyof typeof hours; // the cast is safe, because the page requests only days that the screen offers
    await route.fulfill({ json: hours[day].map((id) => ({ id, nombre: `${id} h` })) });
  });
  for (const [width, height, colorScheme] of [
    [360, 640, 'light'],
    [1280, 800, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await openWhenLoaded(page, '/pedido');
    await page.getByLabel('Precio').focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await page.keyboard.type('3');
    await expect(page.getByRole('status', { name: 'Total' })).toHaveText('36');
    const hour = page.getByLabel('Hora');
    const offered = () => hour.locator('option').allTextContents();
    await page.getByLabel('Día').focus();
    await page.keyboard.type('Lu');
    await expect.poll(offered).toEqual([expect.any(String), '9 h', '10 h']);
    await page.keyboard.press('Tab');
    await page.keyboard.type('9');
    await expect(hour).toHaveValue('9');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('Ma');
    await expect.poll(offered).toEqual([expect.any(String), '10 h', '11 h']);
    await expect(hour).toHaveValue('');
    await expect(page.getByText('Lo que habías elegido')).toBeVisible();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  }
  await project.restore('flows/inicio.json');
  await project.restore('schemas/pedido');
});

test('[ENG-06] a date in three boxes is validated once all are left, and a list takes several files at once, at 320 px', async ({
  page,
  own: { project },
}) => {
  await project.write('schemas/constancias/schema.json', {
    type: 'object',
    required: ['nacimiento'],
    properties: {
      nacimiento: { type: 'string', calendarDate: { from: '1900-01-01' } },
      constancias: { type: 'array', maxItems: 3, items: { type: 'string', file: { maxKb: 1 } } },
    },
  });
  await project.write('schemas/constancias/ui.json', {
    title: 'Tus constancias',
    fields: {
      nacimiento: {
        'ui:title': 'Fecha de nacimiento',
        'ui:widget': 'date-parts',
        'ui:autocomplete': 'bday',
        'ui:options': { labelled: 'self' },
      },
      constancias: { 'ui:title': 'Constancias', items: { 'ui:title': 'Constancia', 'ui:widget': 'file' } },
    },
    actions: [{ event: 'submit', text: 'Seguir', primary: true }],
  });
  await project.write('schemas/constancias/ui.pt.json', {
    title: 'Seus comprovantes',
    fields: {
      nacimiento: { 'ui:title': 'Data de nascimento' },
      constancias: { 'ui:title': 'Comprovantes', items: { 'ui:title': 'Comprovante' } },
    },
    actions: { submit: 'Continuar' },
  });
  await project.edit(
    'flows/inicio.json',
    '"states": {',
    '"states": { "constancias": { "path": "/constancias", "screen": "constancias", "on": { "submit": "constancias" } },',
  );
  await page.setViewportSize({ width: 320, height: 640 });
  await openWhenLoaded(page, '/constancias');
  await page.getByLabel('Día').focus();
  await page.keyboard.type('31');
  await page.keyboard.press('Tab');
  await page.keyboard.type('2');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Falta el año.')).toHaveCount(0);
  await page.keyboard.type('1990');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Esa fecha no existe. Revisá el día, el mes y el año.')).toBeVisible();
  await page.getByRole('button', { name: 'Agregar Constancia' }).press('Enter');
  const file = (name: string, size = 1) => ({ name, mimeType: 'application/pdf', buffer: Buffer.alloc(size, 'x') });
  await page
    .locator('input[type=file]')
    .setInputFiles([file('uno.pdf'), file('dos.pdf'), file('enorme.pdf', 2048), file('tres.pdf'), file('cuatro.pdf')]);
  await expect(page.getByText('Archivo elegido: uno.pdf (1 KB).')).toContainText('cuatro.pdf');
  await expect(page.getByText('Archivo elegido: uno.pdf (1 KB).')).toContainText('más de 1 KB: enorme.pdf');
  await expect(page.getByText('Tenés elegido tres.pdf.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Agregar Constancia' }), 'no button for a fourth item').toHaveCount(0);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByLabel('Día').fill('28');
  await page.getByRole('button', { name: 'Seguir' }).click();
  await expect(page.getByText('Esa fecha no existe.')).toHaveCount(0);
  await project.restore('flows/inicio.json');
  await project.restore('schemas/constancias');
});

/** Opens a page whose definitions were just written, once the server has loaded them. */
async function openWhenLoaded(page: Page, path: string): Promise<void> {
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 30_000 }).toBe(200);
  await page.goto(path);
}

const flow = 'flows/agenda-soporte.json';
const question = '¿En qué lengua te atendemos?';

/** Adds a step with one field: a folder in schemas/, a state, and its position among the steps. */
async function addStep(project: ProjectCopy): Promise<void> {
  const folder = 'schemas/agenda-soporte-atencion';
  await project.write(`${folder}/schema.json`, {
    type: 'object',
    required: ['lengua'],
    properties: { lengua: { type: 'string', enum: ['es', 'lsu'] } },
  });
  await project.write(`${folder}/ui.json`, {
    title: 'Cómo te atendemos',
    fields: {
      lengua: { 'ui:title': question, 'ui:widget': 'radio', 'ui:enumNames': ['Español', 'Lengua de señas'] },
    },
    actions: [
      { event: 'submit', text: 'Continuar', primary: true },
      { event: 'back', text: 'Volver' },
    ],
  });
  await project.write(`${folder}/ui.pt.json`, {
    title: 'Como atendemos você',
    fields: { lengua: { 'ui:title': 'Em que língua?', 'ui:enumNames': ['Espanhol', 'Língua de sinais'] } },
    actions: { submit: 'Continuar', back: 'Voltar' },
  });
  await project.edit(flow, '    "fecha",\n    "confirmar"\n', '    "atencion",\n    "fecha",\n    "confirmar"\n');
  await project.edit(flow, '"assign": "quien", "target": "fecha"', '"assign": "quien", "target": "atencion"');
  const afterPhone = (step: string) => `"else": "contacto" },\n      "on": { "submit": "${step}" }`;
  await project.edit(flow, afterPhone('fecha'), afterPhone('atencion'));
  await project.edit(
    flow,
    '"fecha": {\n      "path"',
    `"atencion": {
      "path": "/contacto-videollamada/atencion",
      "screen": "agenda-soporte-atencion",
      "on": { "submit": "fecha" }
    },
    "fecha": {\n      "path"`,
  );
}

test('[ANA-01 ENG-10] a step added in definition files is asked, validated and booked, and the agent reads its answer', async ({
  page,
  own: { project },
  portal,
  mail,
  axe,
}) => {
  test.setTimeout(150_000);
  await page.goto('/contacto-videollamada');
  await expect(page.getByRole('heading', { level: 1, name: 'Agenda Soporte' })).toBeVisible();
  await addStep(project);
  await expect(async () => {
    const { screens } = (await (await fetch(`${portal.url}/definitions/manifest.json`)).json()) as {
      screens: Readonly<Record<string, unknown>>;
    };
    expect(Object.keys(screens)).toContain('agenda-soporte-atencion');
  }).toPass();

  await page.goto('/contacto-videollamada');
  await page.getByLabel('Nombre completo').fill('Inés Quiroga');
  await page.getByLabel('País emisor del documento').selectOption({ label: 'Argentina' });
  await page.getByLabel('Número de documento').fill(createForeigner().document);
  await page.getByLabel('Correo electrónico').fill('ines.lengua@example.com');
  await page.getByLabel('Número de teléfono').fill('+598 99 123 456');
  await page.getByLabel('Asunto').selectOption({ label: 'Otro' });
  await page.getByLabel('Motivo de la consulta').fill('Tengo una duda.');
  const next = page.getByRole('button', { name: 'Continuar' });
  await next.click();

  await expect(page.getByRole('heading', { level: 1, name: 'Cómo te atendemos' })).toBeVisible();
  await expect(page.getByText('Paso 2 de 4: Cómo te atendemos')).toBeVisible();
  await expect(next, 'the new field is required').toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: 'Lengua de señas' }).check();
  expect(await axe()).toEqual([]);
  await next.click();

  await expect(page.getByRole('heading', { level: 1, name: 'Elegí día y hora' })).toBeVisible(); // waits for the heading, because the previous step has radio buttons too
  await page.getByRole('group', { name: /^Hora/ }).getByRole('radio').first().check();
  await next.click();
  await page.getByLabel('No soy un robot').press(' ');
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await page.getByRole('button', { name: 'Reservar videollamada' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Falta confirmar tu videollamada' })).toBeVisible();

  const booked = await mail('ines.lengua@example.com');
  const thisYear = String(new Date().getFullYear()); // mails omit the current year
  const [, day, month, year = thisYear] = /\b(\d{1,2}) de (\p{L}+)(?: de (\d{4}))?/u.exec(booked.text) ?? [];
  const months = 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ');
  const number = months.indexOf(month === 'setiembre' ? 'septiembre' : (month ?? '')) + 1;
  const date = `${year}-${String(number).padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  await signInAtDesk(page, mail);
  await page.getByLabel('Día', { exact: true }).fill(date);
  await page.getByRole('row').filter({ hasText: 'Inés Quiroga' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: /Llamada de Inés/ })).toBeVisible();
  await expect(page.getByRole('term').filter({ hasText: question })).toBeVisible();
  await expect(page.getByRole('definition').filter({ hasText: 'Lengua de señas' })).toBeVisible();
  expect(await axe()).toEqual([]);
});
