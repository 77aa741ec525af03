import { request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { studioPaths } from '../../src/studio/studio-api-types.ts';
import { createClickCounter, listDifferences, expect, openEntry, test, useRealChecker } from './support/studio.ts';

test('[EST-06] the studio finds a screen by a word of its texts, has one Tab stop per toolbar, tree and tab list, and passes axe', async ({
  page,
  axe,
}) => {
  const response = await page.goto('/_dev/estudio');
  expect(response?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
  const module = await page.request.get('/src/studio/main.tsx', { headers: { origin: 'http://localhost:9000' } });
  expect([module.status(), module.headers()['access-control-allow-origin']]).toEqual([404, undefined]);
  await page.getByLabel('Buscar pantalla, recorrido o texto').fill('cadastre-se');
  await page.getByRole('tree').getByText('registro', { exact: true }).first().click();
  await expect(page.getByLabel('Portugués: Título')).toHaveValue('Cadastre-se');
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText('Registrate');
  for (const [width, tabs] of [
    [1280, ['JSON', 'Caso', 'Formulario', 'Vista']],
    [1920, ['Textos', 'Cambios']],
  ] as const) {
    await page.setViewportSize({ width, height: 1000 });
    for (const tab of tabs) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tab', { name: tab })).toHaveAttribute('aria-selected', 'true');
    }
    expect([width, await axe()]).toEqual([width, []]);
  }
  await expect(page.getByText('No hay cambios.')).toBeVisible();
  await page.getByRole('tab', { name: 'Cambios' }).press('ArrowLeft');
  await expect(page.getByRole('tab', { name: 'Caso' })).toBeFocused();

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.getByLabel('Buscar pantalla, recorrido o texto').fill('');
  const stop = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const group = activeElement?.closest('[role=toolbar], [role=tree], [role=tablist]');
      return group?.getAttribute('aria-label') ?? activeElement?.tagName;
    });
  const stops: unknown[] = [];
  await page.getByRole('link', { name: 'Operaciones' }).focus();
  while (stops.length < 5) {
    await page.keyboard.press('Tab');
    stops.push(await stop());
  }
  expect(stops).toEqual(['Guardar y deshacer', 'INPUT', 'Recorridos', 'BUTTON', 'Editar']);
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'JSON' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('textbox', { name: 'Contenido' })).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  await expect(page.getByRole('treeitem').last()).toBeFocused();
});

test('[EST-06] texts and the text of a link are changed in both languages with three clicks and one changed line each', async ({
  page,
  own: { project },
}) => {
  const clicks = createClickCounter();
  await page.goto('/_dev/estudio');
  await openEntry(page, clicks, 'Pantallas', 'contacto');
  await page.getByLabel('Español: Título').fill('Escribinos');
  await page.getByLabel('Portugués: Título').fill('Escreva');
  await expect(page.getByLabel('Portugués: Enlace a /ayuda')).toHaveValue('Perguntas frequentes');
  await page.getByLabel('Portugués: Enlace a /ayuda').fill('Dúvidas');
  await clicks(page.getByRole('button', { name: 'Guardar' }));
  await expect(page.getByText(/^Guardado en/)).toContainText('schemas/contacto/ui.json, schemas/contacto/ui.pt.json');
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText('Escribinos');
  expect(listDifferences(project)).toEqual([
    '-  "title": "Contacto",',
    '+  "title": "Escribinos",',
    '-  "title": "Contato",',
    '+  "title": "Escreva",',
    '-  "links": { "/ayuda": "Perguntas frequentes" },',
    '+  "links": { "/ayuda": "Dúvidas" },',
  ]);
  await clicks(page.getByRole('tab', { name: 'Cambios' }));
  await expect(page.getByRole('tabpanel', { name: 'Cambios' })).toContainText('Escribinos');
  expect(clicks.count()).toBe(3);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText(/^Se deshizo el cambio de/)).toBeVisible();
  expect(listDifferences(project)).toEqual([]);
});

test('[EST-13] the preview draws unsaved input without a reload, in dark mode, at double size and in a second window, and explains invalid texts', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?pantalla=contacto&editar=texts&mirar=view');
  const drawn = page.frameLocator('iframe');
  const title = drawn.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Contacto');
  const frame = page.frames().find((one) => one.url().includes('/_dev/vista'));
  await frame?.evaluate(() => Object.assign(window, { same: true }));
  await page.getByLabel('Español: Título').fill('Hablá con nosotros');
  await expect(title).toHaveText('Hablá con nosotros');
  const look = page.getByRole('tabpanel', { name: 'Vista' });
  await expect(look).toContainText('Se ve lo que escribiste. Todavía no se guardó.');
  expect(listDifferences(project)).toEqual([]);
  await page.getByLabel('Caso').selectOption('document-check-digit');
  await expect(drawn.getByRole('group', { name: /corregir/ })).toBeVisible();
  await page.getByRole('button', { name: 'Lo que dice un lector de pantalla' }).click();
  await expect(look.getByRole('listitem').filter({ hasText: 'Título 1' })).toContainText('Hablá con nosotros');

  await page.getByLabel('Español: Título').fill('Hola, {nadie}');
  await expect(look).toContainText('todavía no se puede dibujar');
  await expect(look).toContainText('schemas/contacto/ui.json:');
  await expect(title).toHaveText('Hablá con nosotros');
  expect(await axe()).toEqual([]);
  await page.getByLabel('Español: Título').fill('Escribinos');
  await expect(title).toHaveText('Escribinos');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(look).toContainText('Se ve lo guardado.');
  await expect(title).toHaveText('Escribinos');
  expect(await frame?.evaluate(() => 'same' in window), 'the frame was not reloaded').toBe(true);

  const sight = () =>
    title.evaluate((own) => {
      const [{ color }, { backgroundColor, fontSize }] = [getComputedStyle(own), getComputedStyle(document.body)];
      const lightOf = (text: string) => Math.max(...(text.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
      return { isDark: lightOf(color) > lightOf(backgroundColor), size: parseFloat(fontSize) };
    });
  const before = await sight();
  expect(before.isDark).toBe(false);
  await page.getByRole('button', { name: 'Oscuro' }).click();
  await expect.poll(sight).toEqual({ ...before, isDark: true });
  await page.getByRole('button', { name: 'Letra al doble' }).click();
  await expect.poll(async () => (await sight()).size).toBeCloseTo(2 * before.size, 0);
  await page.getByRole('button', { name: 'Oscuro' }).click();
  await expect.poll(async () => (await sight()).isDark).toBe(false);

  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Abrir en otra ventana' }).click();
  const second = await opened;
  const copy = second.getByRole('heading', { level: 1 });
  await page.getByLabel('Español: Título').fill('Hablá con nosotros');
  await expect(copy).toHaveText('Hablá con nosotros');
  await openEntry(page, (target) => target.click(), 'Pantallas', 'registro-nombre');
  await expect(copy).toHaveText(/nombre/i);
  expect(await axe()).toEqual([]);
  await second.close();
});

test('[EST-06 EST-10] one form adds a field with its rule, its texts and the cases that test the rule', async ({
  page,
  own: { project },
}) => {
  const clicks = createClickCounter();
  await page.goto('/_dev/estudio?pantalla=contacto&editar=form&mirar=case');
  await clicks(page.getByRole('button', { name: 'Agregar campo' }));
  const form = page.getByRole('form', { name: 'Campo nuevo' });
  await form.getByLabel('Nombre en español').fill('Expediente');
  await expect(form.getByLabel('Clave')).toHaveValue('expediente');
  await form.getByLabel('Nombre en portugués').fill('Processo');
  await form.getByLabel('Regla').selectOption('maxLength');
  await form.getByLabel('Límite o expresión').fill('8');
  await expect(form.getByLabel('Un valor correcto')).toHaveValue('Texto');
  await clicks(form.getByRole('button', { name: 'Agregar' }));
  for (const name of ['con-expediente', 'propuesta-expediente-maxLength-1'])
    await expect(page.getByRole('row').filter({ hasText: name }).first()).toContainText('Coincide con las reglas.');
  expect(clicks.count()).toBe(2);
  // The row is far below the button that adds fields, so the page must scroll to it.
  const edit = page.locator('[id="row.expediente"]').getByRole('button', { name: /^Editar/ });
  await expect(edit).toBeFocused();
  await expect(edit).toBeInViewport();
  const added = listDifferences(project);
  expect(added.filter((line) => line.startsWith('-'))).toEqual([
    '-    "logueado": { "ui:widget": "hidden" }',
    '-    }',
  ]);
  expect(added).toContain('+    "expediente": { "type": "string", "maxLength": 8 },');
  expect(added).toContain('+    "expediente": { "ui:title": "Processo" }');
  const written = await readFile(join(project.root, 'tests/fixtures/contacto.json'), 'utf8');
  expect(JSON.parse(written)).toMatchObject({
    cases: {
      'con-expediente': { with: { expediente: 'Texto' } },
      'propuesta-expediente-maxLength-1': {
        with: { expediente: 'a'.repeat(9) },
        errors: { expediente: 'Asegúrese de que este campo no tenga más de 8 caracteres.' },
      },
    },
  });
});

test('[EST-06] a mail is found by its subject, drawn while it is typed, refused with a wrong value, saved and restored', async ({
  page,
  own: { project },
  axe,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.setViewportSize({ width: 1280, height: 1000 });
  const file = 'src/server/features/password/mails/reset-password.es.txt';
  const before = await readFile(join(project.root, file), 'utf8');
  await page.goto('/_dev/estudio');
  await page.getByLabel('Buscar pantalla, recorrido o texto').fill('restablecé tu contraseña de');
  await page
    .getByRole('treeitem', { name: /reset-password/ })
    .last()
    .click();
  const drawn = page.frameLocator('iframe');
  await expect(drawn.getByRole('heading', { level: 1 })).toContainText('Restablecé tu contraseña de');
  await expect(drawn.getByText('Hola, Ana:')).toBeVisible();
  const card = drawn.locator('.card');
  expect(await card.evaluate((own) => getComputedStyle(own).maxWidth), 'it has its styles').toBe('560px');
  await page.getByRole('radio', { name: 'Portugués' }).click();
  await expect(drawn.getByText('Olá, Ana,')).toBeVisible();
  await page.getByRole('radio', { name: 'Español' }).click();
  const text = page.getByLabel('Español: reset-password');
  await text.fill(before.replace('{{name}}', '{{nombre}}'));
  await expect(drawn.getByText('Hola, {{nombre}}:')).toBeVisible();
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText('Este correo no tiene un valor para {{nombre}}')).toBeVisible();
  expect(await readFile(join(project.root, file), 'utf8')).toBe(before);
  await text.fill(before.replace('Hola', 'Buenas'));
  await expect(drawn.getByText('Buenas, Ana:')).toBeVisible();
  expect(await axe()).toEqual([]);
  await page.getByRole('button', { name: 'Guardar', exact: true }).click();
  await expect(page.getByText(/^Guardado en/)).toContainText(file);
  expect(await readFile(join(project.root, file), 'utf8')).toBe(before.replace('Hola', 'Buenas'));
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText(/^Se deshizo el cambio de/)).toBeVisible();
  expect(await readFile(join(project.root, file), 'utf8')).toBe(before);
  expect(refused).toEqual([]);
});

test('[EST-06] a help page is drawn while it is typed, and the form that orders its questions works with the keyboard', async ({
  page,
  axe,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?ayuda=preguntas/como-me-registro');
  const drawn = page.frameLocator('iframe');
  await expect(drawn.getByRole('heading', { level: 1 })).toHaveText('¿Cómo me registro?');
  await expect(drawn.getByText(/vence a las \d+ horas/)).toBeVisible();
  const text = page.getByLabel('Español: preguntas/como-me-registro');
  await text.fill((await text.inputValue()).replace('Registrarse es gratis', 'No cuesta nada'));
  await expect(drawn.getByText(/No cuesta nada/)).toBeVisible();
  await page.getByRole('button', { name: 'Descartar' }).click();
  await page.getByRole('button', { name: 'Ordenar' }).press('Enter');
  const form = page.getByRole('form', { name: 'Ordenar' });
  await form.getByRole('button', { name: 'Bajar ¿Cómo me registro?' }).press('Enter');
  expect(await axe()).toEqual([]);
  await expect(form.getByRole('status')).toContainText('«¿Cómo me registro?» está en el lugar 2 de ');
});

test('[EST-17] dragging reorders fields at 1280 px without cutting the form off, and a moved field stays visible', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?pantalla=feedback&editar=form&mirar=changes');
  await expect(page.getByRole('table', { name: 'Campos de feedback' })).toBeVisible();
  const middle = page.locator('.studio-middle');
  expect(await middle.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.getByRole('button', { name: 'Ordenar' }).press('Enter');
  const form = page.getByRole('form', { name: 'Ordenar' });
  await expect(form.getByLabel('Qué')).toBeFocused();
  const item = (name: string) => form.getByRole('listitem').filter({ hasText: name });
  await item('Otro motivo').dragTo(item('No encontré lo que buscaba'));
  await expect(form.getByRole('status')).toHaveText('«Otro motivo» está en el lugar 1 de 6.');
  expect(await axe()).toEqual([]);
  await form.getByRole('button', { name: 'Aplicar' }).click();
  await expect(form).toHaveCount(0);
  const ui = JSON.parse(await readFile(join(project.root, 'schemas/feedback/ui.json'), 'utf8')) as {
    sections: readonly { fields: readonly string[] }[];
  };
  expect(ui.sections[0]?.fields.slice(0, 2)).toEqual(['pregunta_3_checkbox_6', 'pregunta_3_checkbox_1']);
  // The list is taller than its pane. A field that is moved with the keyboard must stay visible.
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.getByRole('button', { name: 'Ordenar' }).press('Enter');
  await form.getByLabel('Qué', { exact: true }).selectOption('Campos');
  const down = form.getByRole('button', { name: 'Bajar ¿Qué tan útil te resultó la página?' });
  for (let place = 2; place <= 11; place += 1) await down.press('Enter');
  await expect(form.getByRole('status')).toContainText('está en el lugar 11 de 11.');
  await expect(down).toBeFocused();
  await expect(down).toBeInViewport();
});

test('[EST-06] the JSON editor suggests keys at the caret, saves with the keyboard and marks errors in their line', async ({
  page,
  own: { project },
  axe,
}) => {
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.goto('/_dev/estudio?flujo=ayuda&editar=json');
  const content = page.getByRole('textbox', { name: 'Contenido' });
  await content.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('"del');
  const offers = page.getByRole('listbox');
  await expect(offers.getByRole('option', { selected: true })).toHaveText('"delays"');
  // Simulates the state during a search for suggestions. A real search ends before axe starts.
  await page
    .locator('.cm-tooltip-autocomplete')
    .evaluate((list) => list.classList.add('cm-tooltip-autocomplete-disabled'));
  expect(await axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(offers).toHaveCount(0);
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('"desc');
  await expect(offers.getByRole('option', { selected: true })).toHaveText('"description"');
  await page.waitForTimeout(200); // CodeMirror ignores Enter for a short time after the list opens
  await page.keyboard.press('Enter');
  await page.keyboard.type('"Para quien tiene una duda",');
  await page.keyboard.press('Tab');
  await expect(content, 'Tab leaves the editor').not.toBeFocused();
  await page.getByRole('button', { name: 'Guardar lo escrito' }).press('Enter');
  await expect(page.getByText(/^Guardado en/)).toContainText('flows/ayuda.json');
  expect(listDifferences(project)).toEqual(['+  "description": "Para quien tiene una duda",']);
  await project.edit('flows/ayuda.json', '"initial"', '"inicial"');
  await expect(
    page.locator('.cm-lint-marker-error'),
    'one marker, because the misspelt key is the missing one',
  ).toHaveCount(1);
  await expect(content).toContainText('"inicial"');
  expect(await axe()).toEqual([]);
  expect(refused).toEqual([]);
});

test('[EST-09] input survives a conflict with another tab, a broken file and a text that the compiler rejects', async ({
  page,
  context,
  own: { project },
  axe,
}) => {
  test.slow();
  const place = '/_dev/estudio?pantalla=contacto&editar=texts&mirar=case';
  await page.goto(place);
  const other = await context.newPage();
  await other.goto(place);
  await page.getByLabel('Español: Título').fill('Primero');
  await other.getByLabel('Español: Título').fill('Segundo');
  await other.getByRole('button', { name: 'Guardar' }).click();
  await expect(other.getByText(/^Guardado en/)).toBeVisible();
  // The first tab reports the conflict and keeps its input.
  await expect(page.getByRole('alert')).toContainText('schemas/contacto/ui.json');
  await expect(page.getByLabel('Español: Título')).toHaveValue('Primero');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('alert')).toContainText('No se guardó nada');
  expect(listDifferences(project)).toContain('+  "title": "Segundo",');
  await page.getByRole('button', { name: 'Elegir los textos' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Elegir los textos' });
  await expect(dialog.getByRole('radiogroup', { name: 'schemas/contacto/ui.json Título' })).toContainText('Segundo');
  expect(await axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Seguir con lo elegido' }).press('Enter');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText(/^Guardado en/)).toBeVisible();
  expect(listDifferences(project)).toContain('+  "title": "Primero",');

  await page.getByLabel('Español: Texto debajo del título').fill('Escribí a {nadie}.');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('alert')).toContainText('No se guardó: el compilador lo rechaza.');
  await expect(page.getByLabel('Español: Texto debajo del título')).toHaveValue('Escribí a {nadie}.');

  await project.edit('schemas/login/ui.json', '"fields": {', '"fields": {{');
  const problems = page.getByRole('region', { name: 'Errores de los archivos' });
  await expect(problems).toContainText('schemas/login/ui.json:');
  await expect(page.getByLabel('Español: Texto debajo del título')).toHaveValue('Escribí a {nadie}.');
  await other.close();
  await useRealChecker(page);
  await problems.getByRole('button', { name: 'Revisar los recorridos' }).click();
  const found = problems.getByRole('row').filter({ hasText: 'schemas/login/ui.json:' });
  await expect(found).toBeVisible({ timeout: 180_000 }); // The checker compiles the whole set, while other tests use the processors.
});

test('[EST-09] the development server refuses foreign hosts and origins, and serves only source files of the project', async ({
  portal,
  own: { project },
}) => {
  await project.write('portal.yaml', { CAPTCHA_COST: 'SECRETO' });
  const { host, port } = new URL(portal.url);
  const answerTo = (path: string, headers: Readonly<Record<string, string>> = { host }) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ host: 'localhost', port, path, headers }, (response) => {
        let body = '';
        response
          .on('data', (chunk) => (body += String(chunk)))
          .on('end', () => resolve(`${response.statusCode} ${body}`));
      });
      asked.on('error', reject).end();
    });
  expect(await answerTo('/src/studio/texts.ts')).toMatch(/^200 /);
  for (const file of [
    'portal.yaml',
    '.git/config',
    'package.json',
    'schemas/contacto/ui.json',
    'node_modules/vite/package.json',
  ])
    for (const path of [
      `/${file}`,
      `/${file}?raw`,
      `/${file}?import&raw`,
      `/${file}?url`,
      `/@fs${project.root}/${file}?raw`,
      `/src/..%2f${file}?raw`,
    ])
      expect(await answerTo(path), path).toMatch(/^404 /);
  for (const path of ['/', '/_dev/estudio', studioPaths.set, '/src/studio/texts.ts', '/rest/sesion', '/readyz'])
    expect(await answerTo(path, { host: `evil.example:${port}` }), path).toBe('403 ');
  for (const path of ['/_dev/estudio', '/_dev', '/%5fdev/estudio', studioPaths.set])
    expect(await answerTo(path, { host, origin: 'https://evil.example' }), path).toMatch(/^403 /);
});
