import { execFileSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect as expectSoon, withOwnPortal } from './support/fixtures.ts';
import { projectRoot, startDevelopment } from './support/portal.ts';
import { studioAddresses } from '../../src/studio/studio-data.ts';
import type { WalkFile } from '../../src/studio/walk/walk.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';

/** The development server prepares a module when it is first asked for. */
const expect = expectSoon.configure({ timeout: 60_000 });

/** The development server of a project of the file's own, whose first commit is the project as it is. */
const test = withOwnPortal(async () => {
  const project = await copyProject();
  for (const name of ['vite.config.ts', 'tests/fixtures', 'tests/definitions/walks'])
    await cp(join(projectRoot, name), join(project.root, name), { recursive: true });
  git(project, 'init', '-q');
  git(project, 'add', 'schemas', 'flows', 'tests');
  git(project, '-c', 'user.name=QA', '-c', 'user.email=qa@example.org', 'commit', '-q', '-m', 'as it is');
  return {
    project,
    portal: await startDevelopment(project.root),
    close: project.remove,
  };
});

test.describe.configure({ timeout: 240_000 });

// What one test wrote is no start of the next; an open page would read and draw all of it again.
test.afterEach(async ({ own: { project }, page }) => {
  await page.goto('about:blank');
  git(project, 'checkout', '-q', '.');
  git(project, 'clean', '-qfd', 'schemas', 'flows', 'tests');
});

test('[EST-06] screens and flows are found by a word of their texts, and the studio has no barrier at either width', async ({
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
  expect(await axe()).toEqual([]);
});

test('[EST-06] bars, list and tabs are one stop of the Tab key each, with arrows within, and the dark has no barrier', async ({
  page,
  axe,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?pantalla=contacto&editar=texts&mirar=view');
  await expect(page.getByLabel('Español: Título')).toBeVisible();
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

test('[EST-06] a text is changed in both languages with three clicks and two lines of difference', async ({
  page,
  own: { project },
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio');
  await open(page, clicks, 'Pantallas', 'contacto');
  await page.getByLabel('Español: Título').fill('Escribinos');
  await page.getByLabel('Portugués: Título').fill('Escreva');
  await clicks(page.getByRole('button', { name: 'Guardar' }));
  await expect(page.getByText(/^Guardado en/)).toContainText('schemas/contacto/ui.json, schemas/contacto/ui.pt.json');
  await expect(page.frameLocator('iframe').getByRole('heading', { level: 1 })).toHaveText('Escribinos');
  expect(difference(project)).toEqual([
    '-  "title": "Contacto",',
    '+  "title": "Escribinos",',
    '-  "title": "Contato",',
    '+  "title": "Escreva",',
  ]);
  await clicks(page.getByRole('tab', { name: 'Cambios' }));
  await expect(page.getByRole('tabpanel', { name: 'Cambios' })).toContainText('Escribinos');
  expect(clicks.count()).toBe(3);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText(/^Se deshizo el cambio de/)).toBeVisible();
  expect(difference(project)).toEqual([]);
});

test('[EST-13] what is typed is drawn before it is saved, by the same page; what cannot be drawn says why', async ({
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
  expect(difference(project)).toEqual([]);
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
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(title).toHaveText('Contacto');
  expect(await frame?.evaluate(() => 'same' in window), 'it was never loaded again').toBe(true);
});

test('[EST-13] a screen is drawn in the dark and with letters of twice their size, and what is typed on a second screen too', async ({
  page,
  axe,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?pantalla=contacto&editar=texts&mirar=view');
  const heading = page.frameLocator('iframe').getByRole('heading', { level: 1 });
  await expect(heading).toHaveText('Contacto');
  const sight = () =>
    heading.evaluate((own) => {
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
  const title = second.getByRole('heading', { level: 1 });
  await page.getByLabel('Español: Título').fill('Hablá con nosotros');
  await expect(title).toHaveText('Hablá con nosotros');
  await open(page, (target) => target.click(), 'Pantallas', 'registro-nombre');
  await expect(title).toHaveText(/nombre/i);
  expect(await axe()).toEqual([]);
  await second.close();
});

test('[EST-06] the text of a link is changed where its translation has it: by the name of the link', async ({
  page,
  own: { project },
}) => {
  await page.goto('/_dev/estudio?pantalla=contacto');
  await expect(page.getByLabel('Portugués: Enlace a /ayuda')).toHaveValue('Perguntas frequentes');
  await page.getByLabel('Portugués: Enlace a /ayuda').fill('Dúvidas');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText(/^Guardado en/)).toContainText('schemas/contacto/ui.pt.json');
  expect(difference(project)).toEqual([
    '-  "links": { "/ayuda": "Perguntas frequentes" },',
    '+  "links": { "/ayuda": "Dúvidas" },',
  ]);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText(/^Se deshizo el cambio de/)).toBeVisible();
});

test('[EST-06 EST-10] a field with a rule, its texts and the case that it refuses is one form', async ({
  page,
  own: { project },
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio?pantalla=contacto&editar=form&mirar=case');
  await clicks(page.getByRole('button', { name: 'Agregar campo' }));
  const form = page.getByRole('form', { name: 'Campo nuevo' });
  await form.getByLabel('Nombre en español').fill('Expediente');
  await expect(form.getByLabel('Clave')).toHaveValue('expediente');
  await form.getByLabel('Nombre en portugués').fill('Processo');
  await form.getByLabel('Límite o expresión').fill('8');
  await form.getByLabel('Un valor que la regla rechaza').fill('123456789');
  await clicks(form.getByRole('button', { name: 'Agregar' }));
  await expect(page.getByRole('row').filter({ hasText: 'expediente-maxlength' })).toContainText(
    'Coincide con las reglas.',
  );
  expect(clicks.count()).toBe(2);
  // It stands far below the button that adds fields.
  const edit = page.locator('[id="row.expediente"]').getByRole('button', { name: /^Editar/ });
  await expect(edit).toBeFocused();
  await expect(edit).toBeInViewport();
  const added = difference(project);
  expect(added.filter((line) => line.startsWith('-'))).toEqual([
    '-    "logueado": { "ui:widget": "hidden" }',
    '-    "mensaje": { "ui:title": "Motivo do pedido" }',
  ]);
  expect(added).toContain('+    "expediente": { "type": "string", "maxLength": 8 },');
  expect(added).toContain('+    "expediente": { "ui:title": "Processo" }');
  const written = await readFile(join(project.root, 'tests/fixtures/contacto.json'), 'utf8');
  expect(JSON.parse(written)).toMatchObject({
    cases: {
      'expediente-maxlength': {
        with: { expediente: '123456789' },
        errors: { expediente: 'Asegúrese de que este campo no tenga más de 8 caracteres.' },
      },
    },
  });
});

test('[EST-08 EST-16] a field is shown by a flag and the value of another; a guard is built by keyboard; each is a sentence with its cases', async ({
  page,
  own: { project },
  axe,
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio?pantalla=contacto&editar=form');
  await clicks(page.getByRole('button', { name: 'Condición de Número de teléfono' }));
  const form = page.getByRole('form', { name: 'Condición de Número de teléfono' });
  await form.getByLabel('Qué').selectOption('flags.telefono_en_agenda');
  await clicks(form.getByRole('button', { name: 'Agregar condición' }));
  const second = form.getByRole('group', { name: '2' });
  await second.getByLabel('Qué').selectOption('form.asunto');
  await second.getByLabel('Cómo').selectOption('es');
  await second.getByLabel('Valor', { exact: true }).fill('cuenta');
  await expect(form.getByRole('status')).toHaveText(
    'Se muestra si la opción «Teléfono en un paso propio de la agenda» está encendida y «Asunto» es «cuenta»',
  );
  await expect(form.getByRole('table', { name: 'Casos de la regla' }).getByRole('row')).toHaveCount(5);
  await clicks(form.getByRole('button', { name: 'Aplicar' }));
  await expect(form).toHaveCount(0);
  expect(clicks.count()).toBe(3);
  const added = difference(project);
  expect(added.filter((line) => line.startsWith('-'))).toEqual(['-  "busy": "Enviando tu mensaje…"']);
  const ui = JSON.parse(await readFile(join(project.root, 'schemas/contacto/ui.json'), 'utf8')) as { visible: object };
  expect(ui.visible).toEqual({
    telefono: { and: [{ var: 'flags.telefono_en_agenda' }, { '==': [{ var: 'form.asunto' }, 'cuenta'] }] },
  });

  await page.goto('/_dev/estudio?flujo=contrasena&mirar=changes');
  await page.getByRole('button', { name: 'Cambiar condiciones' }).press('Enter');
  const guards = page.getByRole('region', { name: 'Cambiar condiciones' });
  await expect(guards.getByLabel('Dónde')).toBeFocused();
  await guards
    .getByLabel('Dónde')
    .selectOption('Tu contraseña se modificó, para entrar: la variable cambiada tiene valor');
  await expect(guards.getByLabel('Dónde'), 'who looks through them stays there').toBeFocused();
  await guards.getByRole('button', { name: 'Agregar grupo' }).press('Enter');
  await guards.getByRole('group', { name: '2.1' }).getByLabel('Qué').selectOption('la variable email');
  await page.setViewportSize({ width: 1280, height: 1000 });
  expect(await axe()).toEqual([]);
  await guards.getByRole('button', { name: 'Quitar la condición 2.2' }).press('Enter');
  await guards.getByRole('button', { name: 'Aplicar' }).press('Enter');
  await expect(guards).toHaveCount(0);
  expect(difference(project)).toContain(
    '+      "requires": { "guard": { "and": ["context.cambiada", "context.email"] }, "else": "pedir" },',
  );
});

test('[EST-17] fields are put in order by dragging, and all of the form is seen at 1280 px', async ({
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
  // What is moved by keyboard stays in view, where the list is longer than its pane.
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.getByRole('button', { name: 'Ordenar' }).press('Enter');
  await form.getByLabel('Qué', { exact: true }).selectOption('Campos');
  const down = form.getByRole('button', { name: 'Bajar ¿Qué tan útil te resultó la página?' });
  for (let place = 2; place <= 11; place += 1) await down.press('Enter');
  await expect(form.getByRole('status')).toContainText('está en el lugar 11 de 11.');
  await expect(down).toBeFocused();
  await expect(down).toBeInViewport();
});

test('[EST-15] what exists is edited by keyboard, with nothing cut off at 1280 px; what it changes is shown before it is written', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto('/_dev/estudio?pantalla=contacto&editar=form&mirar=changes');
  const middle = page.locator('.studio-middle');
  const cutOff = () => middle.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  await page.getByRole('button', { name: 'Editar «Número de teléfono»' }).press('Enter');
  const field = page.getByRole('form', { name: 'Editar «Número de teléfono»' });
  await expect(field.getByLabel('Dónde')).toBeFocused();
  await field.getByLabel('Dónde').selectOption({ index: 1 });
  await field.getByLabel('Como máximo estos caracteres', { exact: true }).fill('23');
  await field.getByRole('button', { name: 'Ver qué cambia' }).press('Enter');
  await expect(field.getByRole('status')).toContainText('schemas/_shared/phone.json');
  expect([await axe(), await cutOff()]).toEqual([[], 0]);
  await field.getByRole('button', { name: 'Aplicar' }).press('Enter');
  await expect(field).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Editar «Número de teléfono»' })).toBeFocused();
  expect(difference(project)).toEqual(['-      "maxLength": 24,', '+      "maxLength": 23,']);

  await page.goto('/_dev/estudio?flujo=elevacion&mirar=changes');
  await page.getByRole('button', { name: 'Quitar', exact: true }).press('Enter');
  const removal = page.getByRole('form', { name: 'Quitar' });
  await removal.getByLabel('Qué').selectOption({ index: 0 });
  await expect(removal.getByRole('button', { name: 'Ver qué cambia' })).toBeEnabled();
  await removal.getByRole('button', { name: 'Ver qué cambia' }).press('Enter');
  await expect(removal.getByRole('status')).toContainText(
    'tests/fixtures/elevacion-condiciones.json: se borra el archivo',
  );
  expect([await axe(), await cutOff()]).toEqual([[], 0]);
});

test('[EST-10] a step is added to a wizard with its screen and its case; what followed follows it', async ({
  page,
  own: { project },
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio');
  await open(page, clicks, 'Recorridos', 'elevacion');
  await clicks(page.getByRole('button', { name: 'Agregar paso' }));
  const form = page.getByRole('form', { name: 'Agregar paso' });
  await form.getByLabel('Después de').selectOption('datos');
  await form.getByLabel('Nombre del estado').fill('consejos');
  await form.getByLabel('Título en español').fill('Preparate para la llamada');
  await form.getByLabel('Título en portugués').fill('Prepare-se para a chamada');
  await clicks(form.getByRole('button', { name: 'Agregar' }));
  await expect(
    page.getByRole('group', { name: 'Estados de elevacion' }).getByRole('link', { name: 'Preparate para la llamada' }),
  ).toBeVisible();
  await expect(page.locator('[id="elevacion.consejos"]')).toBeInViewport();
  expect(clicks.count()).toBe(3);
  const written = difference(project);
  expect(written.slice(0, 4)).toEqual([
    '-  "progress": ["condiciones", "datos", "fecha", "confirmar"],',
    '+  "progress": ["condiciones", "datos", "consejos", "fecha", "confirmar"],',
    '-            "fecha"',
    '+            "consejos"',
  ]);
  expect(written).toContain('+      "path": "/videollamada/preparate-para-la-llamada",');
  expect(git(project, 'status', '--short')).toContain('?? schemas/elevacion-consejos/');
  expect(git(project, 'status', '--short')).toContain('?? tests/fixtures/elevacion-consejos.json');
});

test('[EST-10] the branch of an error that the contract declares is added with its notice in both languages', async ({
  page,
  own: { project },
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio');
  await open(page, clicks, 'Recorridos', 'registro');
  await clicks(page.getByRole('button', { name: 'Agregar rama de error' }));
  const form = page.getByRole('form', { name: 'Agregar rama de error' });
  await form
    .getByLabel('Estado y llamada')
    .selectOption('Tu contraseña (completar), «Continuar»: completeRegistration');
  await expect(form.getByLabel('Si el error es')).toHaveValue('ya_registrado');
  await form.getByLabel('Si el error es').selectOption('demasiados_intentos');
  await form.getByLabel('Nombre del aviso').fill('esperar');
  await form.getByLabel('Aviso en español').fill('Esperá unos minutos.');
  await form.getByLabel('Aviso en portugués').fill('Espere alguns minutos.');
  await clicks(form.getByRole('button', { name: 'Agregar' }));
  await expect(form).toHaveCount(0);
  await expect(page.locator('[id="registro.completar"]')).toBeInViewport();
  expect(clicks.count()).toBe(3);
  const added = difference(project);
  expect(added.join('\n')).toContain('{ "error.code": "demasiados_intentos" }');
  expect(added.join('\n')).toContain('"esperar": { "intent": "error", "text": "Esperá unos minutos." }');
  expect(added.join('\n')).toContain('"esperar": { "text": "Espere alguns minutos." }');
});

test('[EST-06] the JSON says what may stand where the caret is, by keyboard alone, and tells what is wrong in its line', async ({
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
  // As it looks while other offers are looked for, which is over before a scan begins.
  await page
    .locator('.cm-tooltip-autocomplete')
    .evaluate((list) => list.classList.add('cm-tooltip-autocomplete-disabled'));
  expect(await axe()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(offers).toHaveCount(0);
  for (let times = 0; times < 4; times += 1) await page.keyboard.press('Backspace');
  await page.keyboard.type('"desc');
  await expect(offers.getByRole('option', { selected: true })).toHaveText('"description"');
  await page.waitForTimeout(200); // right after it opened a key is meant for the text
  await page.keyboard.press('Enter');
  await page.keyboard.type('"Para quien tiene una duda",');
  await page.keyboard.press('Tab');
  await expect(content, 'Tab leads on').not.toBeFocused();
  await page.getByRole('button', { name: 'Guardar lo escrito' }).press('Enter');
  await expect(page.getByText(/^Guardado en/)).toContainText('flows/ayuda.json');
  expect(difference(project)).toEqual(['+  "description": "Para quien tiene una duda",']);
  await project.edit('flows/ayuda.json', '"initial"', '"inicial"');
  await expect(page.locator('.cm-lint-marker-error'), 'what lacks, and what is unknown').toHaveCount(2);
  await expect(content).toContainText('"inicial"');
  expect(await axe()).toEqual([]);
  expect(refused).toEqual([]);
});

test('[EST-10] another name is shown line by line in every file before it is written, undone at once, and refused where the server reads the old one', async ({
  page,
  own: { project },
  axe,
}) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio');
  await open(page, clicks, 'Recorridos', 'elevacion');
  const form = page.getByRole('form', { name: 'Renombrar' });
  await clicks(page.getByRole('button', { name: 'Renombrar', exact: true }));
  await expect(form.getByLabel('Qué')).toBeFocused();
  await form.getByLabel('Qué').selectOption('Estado datos');
  await form.getByLabel('Nombre nuevo').fill('persona');
  await clicks(form.getByRole('button', { name: 'Ver qué cambia' }));
  await expect(form.getByText(/^Cambian \d+ líneas de 2 archivos\.$/)).toBeVisible();
  await expect(form.locator('ins').first()).toHaveText('"progress": ["condiciones", "persona", "fecha", "confirmar"],');
  expect(await axe()).toEqual([]);
  expect(difference(project)).toEqual([]);
  await clicks(form.getByRole('button', { name: 'Renombrar en 2 archivos' }));
  await expect(page.getByText(/^Guardado en/)).toBeVisible();
  await expect(form).toHaveCount(0);
  expect(clicks.count()).toBe(4);
  const changed = difference(project);
  expect(changed).toContain('+    "persona": {');
  expect(changed.filter((line) => line.startsWith('+'))).toHaveLength(changed.length / 2);
  await expect(page.getByRole('group', { name: 'Estados de elevacion' }).locator('[data-state=persona]')).toBeVisible();
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect.poll(() => difference(project)).toEqual([]);

  await open(page, clicks, 'Pantallas', 'registro-correo');
  await page.getByRole('button', { name: 'Renombrar', exact: true }).click();
  await form.getByLabel('Qué').selectOption('Campo email');
  await form.getByLabel('Nombre nuevo').fill('repetir_email');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await expect(form.getByRole('alert')).toHaveText('Ya hay otro con ese nombre.');
  await form.getByLabel('Nombre nuevo').fill('correo');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await expect(form.getByRole('alert')).toContainText('La operación "registerCitizen" lee el campo "email"');
  await expect(form.getByRole('button', { name: 'Ver qué cambia' })).toBeVisible();
  expect(difference(project)).toEqual([]);

  await form.getByRole('button', { name: 'Cancelar' }).click();
  await open(page, clicks, 'Pantallas', 'elevacion-aceptada');
  await page.getByRole('button', { name: 'Renombrar', exact: true }).click();
  await form.getByLabel('Nombre nuevo').fill('nivel-subido');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await form.getByRole('button', { name: /^Renombrar en \d+ archivos$/ }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'nivel-subido' }), 'the studio goes along').toBeVisible();
  expect(git(project, 'status', '--short', 'tests')).toContain('?? tests/fixtures/nivel-subido');
});

test('[EST-10] a button and the new screen that it leads to are one form', async ({ page, own: { project } }) => {
  const clicks = clicker();
  await page.goto('/_dev/estudio');
  await open(page, clicks, 'Recorridos', 'elevacion');
  await clicks(page.getByRole('button', { name: 'Agregar botón' }));
  const form = page.getByRole('form', { name: 'Agregar botón' });
  await form.getByLabel('En el estado').selectOption('condiciones');
  await form.getByLabel('Nombre del evento').fill('saber');
  await form.getByLabel('Texto del botón en español').fill('Saber más');
  await form.getByLabel('Texto del botón en portugués').fill('Saber mais');
  await form.getByLabel('Lleva a').selectOption('Una pantalla nueva');
  await form.getByLabel('Nombre del estado').fill('saber');
  await form.getByLabel('Título en español').fill('Qué cambia con Nivel Intermedio');
  await form.getByLabel('Título en portugués').fill('O que muda com o Nível Intermediário');
  await clicks(form.getByRole('button', { name: 'Agregar' }));
  await expect(form).toHaveCount(0);
  expect(clicks.count()).toBe(3);
  const added = difference(project);
  expect(added).toContain('+      "screen": "elevacion-saber",');
  expect(added.join('\n')).toContain('{ "event": "saber", "text": "Saber más" }');
  expect(git(project, 'status', '--short')).toContain('?? tests/fixtures/elevacion-saber.json');
});

test('[EST-07 EST-18] a flow is walked step by step: each operation asks what it answers, and the walk is kept as a test', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.goto('/_dev/estudio?flujo=contrasena&editar=flow&mirar=walk');
  const drawn = page.frameLocator('iframe');
  const place = page.locator('[data-walk-state]');
  const title = drawn.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Reestablece tu contraseña');
  // The rules of the screen refuse, as they do a citizen.
  await drawn.getByRole('button', { name: 'Continuar' }).click({ force: true });
  await expect(drawn.getByRole('group', { name: /corregir/ })).toContainText('Número de documento');
  await expect(place).toHaveText('Estado: Reestablece tu contraseña. Aviso: nada. Salida: nada.');
  await page.getByLabel('Completar con un caso').selectOption('valid');
  await page.getByRole('button', { name: 'Tocar «Continuar»' }).click(); // with what the case filled in

  const call = page.getByRole('form', { name: '¿Qué responde requestPasswordReset?' });
  await expect(call.getByRole('combobox')).toBeFocused();
  await expect(call).toContainText('"doc":"12345672"');
  await call.getByRole('combobox').selectOption('demasiados_intentos');
  await call.getByRole('button', { name: 'Responder' }).click();
  const steps = page.getByRole('list', { name: 'Pasos del recorrido' });
  await expect(steps).toContainText(
    'Reestablece tu contraseña, Continuar, si falla, rama 2: en los demás casos. La 1 no: no se cumple error.next',
  );
  await expect(place).toContainText('Estado: Reestablece tu contraseña.');
  await page.getByRole('button', { name: 'Volver un paso' }).click();
  await call.getByLabel('Respuesta (JSON)').fill('{ "email": "a***@correo.uy" }');
  await call.getByRole('button', { name: 'Responder' }).press('Enter');
  await expect(place).toHaveText('Estado: Revisá tu correo electrónico. Aviso: nada. Salida: nada.');
  await expect(steps).toContainText('email: de nada a "a***@correo.uy".');
  await expect(title).toHaveText('Revisá tu correo electrónico');
  await expect(page.locator('rect[data-walk="here"]')).toHaveCount(1);
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 1000 });
    expect([width, await axe()]).toEqual([width, []]);
  }

  await page.getByLabel('Nombre del recorrido').fill('pedido desde el estudio');
  await page.getByRole('button', { name: 'Guardar como prueba' }).click();
  await expect(page.getByText(/^Guardado en/)).toContainText('tests/definitions/walks/contrasena.json');
  expect(git(project, 'diff', '--stat', 'tests')).toMatch(/1 file changed, \d+ insertions\(\+\)/);
  const walks = async () =>
    (JSON.parse(await readFile(join(project.root, 'tests/definitions/walks/contrasena.json'), 'utf8')) as WalkFile)
      .walks;
  expect((await walks()).at(-1)).toMatchObject({
    name: 'pedido desde el estudio',
    then: { state: 'pedir' },
    steps: [
      {
        fill: { doc: '12345672' },
        raise: 'submit',
        operations: [{ operation: 'requestPasswordReset', result: { email: 'a***@correo.uy' } }],
        then: { state: 'enviado', set: { email: 'a***@correo.uy', solicitado: true } },
      },
    ],
  });
  // One that is kept is walked again, and is told where it comes out otherwise.
  await project.edit('flows/contrasena.json', '"solicitado": true }, "target"', '"solicitado": 1 }, "target"');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Recorrido guardado').selectOption('un correo lleva a una contraseña nueva');
  await expect(page.getByRole('alert')).toContainText(
    'Paso 1: set debía ser {"email":"a***@correo.uy","solicitado":true} y es {"email":"a***@correo.uy","solicitado":1}.',
  );

  await page.getByRole('button', { name: 'Cubrir lo que falta' }).click();
  await expect(page.getByText(/^Los recorridos guardados toman \d+ de 16 ramas\.$/)).toBeVisible();
  const open = page.getByRole('region', { name: 'Cubrir lo que falta' }).getByRole('listitem');
  await expect(open.filter({ hasText: 'cuando requestPasswordReset falla: error.next tiene valor.' })).toHaveCount(1);
  const count = await open.count();
  await page.getByRole('button', { name: `Anotar ${count} pendientes` }).click();
  await expect.poll(async () => (await walks()).filter(({ todo }) => todo !== undefined).length).toBe(count);

  // Who walks is somebody of the sample data; a walk that is over says so.
  await page.getByLabel('Quién recorre').selectOption({ label: 'Ana Lucía Pereira Sosa, con cuenta activa' });
  await page.getByLabel('Empieza en').selectOption('fuera');
  await page.getByRole('button', { name: 'Empezar el recorrido' }).click();
  await expect(page.getByText('El recorrido terminó acá: sale a /login.')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 1000 });
  expect(await axe()).toEqual([]);
});

test('[EST-09] two tabs, a file that changed outside, a broken file: what was typed stays, and is told', async ({
  page,
  context,
  own: { project },
  axe,
}) => {
  const place = '/_dev/estudio?pantalla=contacto&editar=texts&mirar=case';
  await page.goto(place);
  const other = await context.newPage();
  await other.goto(place);
  await page.getByLabel('Español: Título').fill('Primero');
  await other.getByLabel('Español: Título').fill('Segundo');
  await other.getByRole('button', { name: 'Guardar' }).click();
  await expect(other.getByText(/^Guardado en/)).toBeVisible();
  // The first tab hears of it, and keeps what was typed.
  await expect(page.getByRole('alert')).toContainText('schemas/contacto/ui.json');
  await expect(page.getByLabel('Español: Título')).toHaveValue('Primero');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('alert')).toContainText('No se guardó nada');
  expect(difference(project)).toContain('+  "title": "Segundo",');
  await page.getByRole('button', { name: 'Elegir los textos' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Elegir los textos' });
  await expect(dialog.getByRole('radiogroup', { name: 'schemas/contacto/ui.json Título' })).toContainText('Segundo');
  expect(await axe()).toEqual([]);
  await dialog.getByRole('button', { name: 'Seguir con lo elegido' }).press('Enter');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText(/^Guardado en/)).toBeVisible();
  expect(difference(project)).toContain('+  "title": "Primero",');

  await page.getByLabel('Español: Mientras espera (lo dice el lector de pantalla)').fill('Esperá…');
  await project.edit('schemas/login/ui.json', '"fields": {', '"fields": {{');
  const problems = page.getByRole('region', { name: 'Errores de los archivos' });
  await expect(problems).toContainText('schemas/login/ui.json:');
  await expect(page.getByLabel('Español: Mientras espera (lo dice el lector de pantalla)')).toHaveValue('Esperá…');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByText(/^Guardado en/)).toBeVisible();
  await project.restore('schemas/login/ui.json');
  await expect(problems).toContainText('Los archivos no tienen errores.');

  await page.getByLabel('Español: Texto debajo del título').fill('Escribí a {nadie}.');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await expect(page.getByRole('alert')).toContainText('No se guardó: el compilador lo rechaza.');
  await expect(page.getByLabel('Español: Texto debajo del título')).toHaveValue('Escribí a {nadie}.');
  await page.getByRole('button', { name: 'Descartar' }).click();
  await other.close();
});

test('[EST-06] what the checker finds by walking is mended by its button, in the translation too', async ({
  page,
  own: { project },
}) => {
  for (const [file, notice] of [
    ['schemas/login/ui.json', '"nadie": { "intent": "info", "text": "Nadie lo dice." },'],
    ['schemas/login/ui.pt.json', '"nadie": { "text": "Ninguém diz isso." },'],
  ] as const)
    await project.edit(file, '"notices": {', `"notices": {\n    ${notice}`);
  await page.goto('/_dev/estudio');
  await page.getByRole('button', { name: 'Revisar los recorridos' }).click();
  const finding = page.getByRole('row').filter({ hasText: 'ui/unused' }).filter({ hasText: 'nadie' });
  await expect(finding).toBeVisible({ timeout: 120_000 });
  await page.route(`**${studioAddresses.findings}`, (route) => route.fulfill({ json: { answer: [] } })); // a walk takes seconds
  await finding
    .getByRole('button', { name: 'Arreglar en schemas/login/ui.json, schemas/login/ui.pt.json' })
    .click({ timeout: 60_000 });
  await expect(page.getByText(/^Guardado en/)).toBeVisible();
  await expect(finding, 'they are walked again').toHaveCount(0);
  expect(difference(project)).toEqual([]);
});

test('[EST-09] the server answers under its own name alone, and gives out sources but no other file of the project', async ({
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
  for (const path of ['/', '/_dev/estudio', studioAddresses.set, '/src/studio/texts.ts', '/rest/sesion', '/readyz'])
    expect(await answerTo(path, { host: `evil.example:${port}` }), path).toBe('403 ');
  for (const path of ['/_dev/estudio', '/_dev', '/%5fdev/estudio', studioAddresses.set])
    expect(await answerTo(path, { host, origin: 'https://evil.example' }), path).toMatch(/^403 /);
});

/** Clicks, and counts them. */
function clicker() {
  let count = 0;
  const click = async (target: Locator): Promise<void> => {
    count += 1;
    await target.click();
  };
  return Object.assign(click, { count: () => count });
}

async function open(
  page: Page,
  click: (target: Locator) => Promise<void>,
  list: 'Pantallas' | 'Recorridos',
  name: string,
): Promise<void> {
  const lines = page.getByRole('tree').locator(`[aria-level="${list === 'Pantallas' ? 2 : 1}"] > .fui-TreeItemLayout`);
  await click(lines.filter({ has: page.getByText(name, { exact: true }) }).first()); // several journeys may show it
}

function git({ root }: ProjectCopy, ...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' });
}

/** The lines that went and came in the definitions since the first commit. */
function difference(project: ProjectCopy): readonly string[] {
  return git(project, 'diff', '-U0', 'schemas', 'flows')
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )/.test(line));
}
