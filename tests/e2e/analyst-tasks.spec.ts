import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { ScenarioFile } from '../../src/studio/scenario/scenario.ts';
import { createClickCounter, listDifferences, expect, git, openEntry, test } from './support/studio.ts';

test('[EST-08 EST-16] the condition forms of a field and a guard show a sentence, list cases and write the rule to the definition', async ({
  page,
  own: { project },
  axe,
}) => {
  const clicks = createClickCounter();
  await page.goto('/_dev/estudio?pantalla=contacto&editar=form&mirar=changes');
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
  const added = listDifferences(project);
  expect(added.filter((line) => line.startsWith('-'))).toEqual(['-  "busy": "Enviando tu mensaje…"']);
  const ui = JSON.parse(await readFile(join(project.root, 'schemas/contacto/ui.json'), 'utf8')) as { visible: object };
  expect(ui.visible).toEqual({
    telefono: { and: [{ var: 'flags.telefono_en_agenda' }, { '==': [{ var: 'form.asunto' }, 'cuenta'] }] },
  });

  await openEntry(page, (target) => target.click(), 'Recorridos', 'contrasena');
  await page.getByRole('button', { name: 'Cambiar condiciones' }).press('Enter');
  const guards = page.getByRole('region', { name: 'Cambiar condiciones' });
  await expect(guards.getByLabel('Dónde')).toBeFocused();
  await guards
    .getByLabel('Dónde')
    .selectOption('Tu contraseña se modificó, para entrar: la variable cambiada tiene valor');
  await expect(guards.getByLabel('Dónde'), 'the focus stays while the options change').toBeFocused();
  await guards.getByRole('button', { name: 'Agregar grupo' }).press('Enter');
  await guards.getByRole('group', { name: '2.1' }).getByLabel('Qué').selectOption('la variable email');
  await page.setViewportSize({ width: 1280, height: 1000 });
  expect(await axe()).toEqual([]);
  await guards.getByRole('button', { name: 'Quitar la condición 2.2' }).press('Enter');
  await guards.getByRole('button', { name: 'Aplicar' }).press('Enter');
  await expect(guards).toHaveCount(0);
  expect(listDifferences(project)).toContain(
    '+      "requires": { "guard": { "and": ["context.cambiada", "context.email"] }, "else": "pedir" },',
  );
});

test('[EST-15] fields are edited and flows removed with the keyboard at 1280 px, and a preview lists the changes first', async ({
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
  expect(listDifferences(project)).toEqual(['-      "maxLength": 24,', '+      "maxLength": 23,']);

  await openEntry(page, (target) => target.click(), 'Recorridos', 'elevacion');
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

test('[EST-10] a step, a button with its screen, and an error branch with its notice are added with two clicks each', async ({
  page,
  own: { project },
}) => {
  const clicks = createClickCounter();
  await page.goto('/_dev/estudio?mirar=changes');
  await openEntry(page, clicks, 'Recorridos', 'elevacion');
  await clicks(page.getByRole('button', { name: 'Agregar paso' }));
  const step = page.getByRole('form', { name: 'Agregar paso' });
  await step.getByLabel('Después de').selectOption('datos');
  await step.getByLabel('Nombre del estado').fill('consejos');
  await step.getByLabel('Título en español').fill('Preparate para la llamada');
  await step.getByLabel('Título en portugués').fill('Prepare-se para a chamada');
  await clicks(step.getByRole('button', { name: 'Agregar' }));
  await expect(
    page.getByRole('group', { name: 'Estados de elevacion' }).getByRole('link', { name: 'Preparate para la llamada' }),
  ).toBeVisible();
  await expect(page.locator('[id="elevacion.consejos"]')).toBeInViewport();
  expect(clicks.count()).toBe(3);
  const written = listDifferences(project);
  expect(written.slice(0, 4)).toEqual([
    '-  "progress": ["condiciones", "datos", "fecha", "confirmar"],',
    '+  "progress": ["condiciones", "datos", "consejos", "fecha", "confirmar"],',
    '-            "fecha"',
    '+            "consejos"',
  ]);
  expect(written).toContain('+      "path": "/videollamada/preparate-para-la-llamada",');
  expect(git(project, 'status', '--short')).toContain('?? schemas/elevacion-consejos/');
  expect(git(project, 'status', '--short')).toContain('?? tests/fixtures/elevacion-consejos.json');

  await clicks(page.getByRole('button', { name: 'Agregar botón' }));
  const button = page.getByRole('form', { name: 'Agregar botón' });
  await button.getByLabel('En el estado').selectOption('condiciones');
  await button.getByLabel('Nombre del evento').fill('saber');
  await button.getByLabel('Texto del botón en español').fill('Saber más');
  await button.getByLabel('Texto del botón en portugués').fill('Saber mais');
  await button.getByLabel('Lleva a').selectOption('Una pantalla nueva');
  await button.getByLabel('Nombre del estado').fill('saber');
  await button.getByLabel('Título en español').fill('Qué cambia con Nivel Intermedio');
  await button.getByLabel('Título en portugués').fill('O que muda com o Nível Intermediário');
  await clicks(button.getByRole('button', { name: 'Agregar' }));
  await expect(button).toHaveCount(0);
  expect(clicks.count()).toBe(5);
  const added = listDifferences(project);
  expect(added).toContain('+      "screen": "elevacion-saber",');
  expect(added.join('\n')).toContain('{ "event": "saber", "text": "Saber más" }');
  expect(git(project, 'status', '--short')).toContain('?? tests/fixtures/elevacion-saber.json');

  await openEntry(page, clicks, 'Recorridos', 'registro');
  await clicks(page.getByRole('button', { name: 'Agregar rama de error' }));
  const branch = page.getByRole('form', { name: 'Agregar rama de error' });
  await branch
    .getByLabel('Estado y llamada')
    .selectOption('Tu contraseña (completar), «Continuar»: completeRegistration');
  await expect(branch.getByLabel('Si el error es')).toHaveValue('ya_registrado');
  await branch.getByLabel('Si el error es').selectOption('demasiados_intentos');
  await branch.getByLabel('Nombre del aviso').fill('esperar');
  await branch.getByLabel('Aviso en español').fill('Esperá unos minutos.');
  await branch.getByLabel('Aviso en portugués').fill('Espere alguns minutos.');
  await clicks(branch.getByRole('button', { name: 'Agregar' }));
  await expect(branch).toHaveCount(0);
  await expect(page.locator('[id="registro.completar"]')).toBeInViewport();
  expect(clicks.count()).toBe(8);
  const branched = listDifferences(project).join('\n');
  expect(branched).toContain('{ "error.code": "demasiados_intentos" }');
  expect(branched).toContain('"esperar": { "intent": "error", "text": "Esperá unos minutos." }');
  expect(branched).toContain('"esperar": { "text": "Espere alguns minutos." }');
});

test('[EST-10] a rename shows each changed line first, can be undone, and is refused if an operation reads the old name', async ({
  page,
  own: { project },
  axe,
}) => {
  const click = (target: Locator) => target.click();
  await page.goto('/_dev/estudio?mirar=changes');
  await openEntry(page, click, 'Recorridos', 'elevacion');
  const form = page.getByRole('form', { name: 'Renombrar' });
  await page.getByRole('button', { name: 'Renombrar', exact: true }).click();
  await expect(form.getByLabel('Qué')).toBeFocused();
  await form.getByLabel('Qué').selectOption('Estado datos');
  await form.getByLabel('Nombre nuevo').fill('persona');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await expect(form.getByText(/^Cambian \d+ líneas de 2 archivos\.$/)).toBeVisible();
  await expect(form.locator('ins').first()).toHaveText('"progress": ["condiciones", "persona", "fecha", "confirmar"],');
  await expect(form.getByRole('button', { name: 'Renombrar en 2 archivos' })).toBeVisible();
  expect(await axe()).toEqual([]);
  await form.getByRole('button', { name: 'Cancelar' }).click();
  expect(listDifferences(project)).toEqual([]);

  await openEntry(page, click, 'Pantallas', 'registro-correo');
  await page.getByRole('button', { name: 'Renombrar', exact: true }).click();
  await form.getByLabel('Qué').selectOption('Campo email');
  await form.getByLabel('Nombre nuevo').fill('repetir_email');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await expect(form.getByRole('alert')).toHaveText('Ya hay otro con ese nombre.');
  await form.getByLabel('Nombre nuevo').fill('correo');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await expect(form.getByRole('alert')).toContainText('La operación "registerCitizen" lee el campo "email"');
  await expect(form.getByRole('button', { name: 'Ver qué cambia' })).toBeVisible();
  expect(listDifferences(project)).toEqual([]);

  await form.getByRole('button', { name: 'Cancelar' }).click();
  await openEntry(page, click, 'Pantallas', 'elevacion-aceptada');
  await page.getByRole('button', { name: 'Renombrar', exact: true }).click();
  await form.getByLabel('Nombre nuevo').fill('nivel-subido');
  await form.getByRole('button', { name: 'Ver qué cambia' }).click();
  await form.getByRole('button', { name: /^Renombrar en \d+ archivos$/ }).click();
  await expect(
    page.getByRole('heading', { level: 2, name: 'nivel-subido' }),
    'the studio shows the new name',
  ).toBeVisible();
  expect(git(project, 'status', '--short', 'tests')).toContain('?? tests/fixtures/nivel-subido');
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect.poll(() => git(project, 'status', '--short')).not.toContain('nivel-subido');
  expect(listDifferences(project)).toEqual([]);
});

test('[EST-07 EST-18] the scenario runner asks for each operation result, saves the path as a test and reports uncovered branches', async ({
  page,
  own: { project },
  axe,
}) => {
  await page.goto('/_dev/estudio?flujo=contrasena&editar=flow&mirar=walk');
  const drawn = page.frameLocator('iframe');
  const place = page.locator('[data-walk-state]');
  const title = drawn.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('Reestablece tu contraseña');
  // Presses the button: the screen's validation rejects the form, as for a citizen.
  await drawn.getByRole('button', { name: 'Continuar' }).click({ force: true });
  await expect(drawn.getByRole('group', { name: /corregir/ })).toContainText('Número de documento');
  await expect(place).toHaveText('Estado: Reestablece tu contraseña. Aviso: nada. Salida: nada.');
  await page.getByLabel('Completar con un caso').selectOption('valid');
  await page.getByRole('button', { name: 'Tocar «Continuar»' }).click(); // submits the values of the selected case

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
  await page.setViewportSize({ width: 1280, height: 1000 });
  expect(await axe()).toEqual([]);

  await page.getByLabel('Nombre del recorrido').fill('pedido desde el estudio');
  await page.getByRole('button', { name: 'Guardar como prueba' }).click();
  await expect(page.getByText(/^Guardado en/)).toContainText('tests/definitions/walks/contrasena.json');
  expect(git(project, 'diff', '--stat', 'tests')).toMatch(/1 file changed, \d+ insertions\(\+\)/);
  const walks = async () =>
    (JSON.parse(await readFile(join(project.root, 'tests/definitions/walks/contrasena.json'), 'utf8')) as ScenarioFile)
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
  // A saved scenario runs again, and reports the changed result.
  await project.edit('flows/contrasena.json', '"solicitado": true }, "target"', '"solicitado": 1 }, "target"');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByLabel('Recorrido guardado').selectOption('un correo lleva a una contraseña nueva');
  await expect(page.getByRole('alert')).toContainText(
    'Paso 1, variables: se esperaba {"email":"a***@correo.uy","solicitado":true} y es {"email":"a***@correo.uy","solicitado":1}.',
  );

  await page.getByRole('button', { name: 'Cubrir lo que falta' }).click();
  await expect(page.getByText(/^Los recorridos guardados toman \d+ de 16 ramas\.$/)).toBeVisible();
  const open = page.getByRole('region', { name: 'Cubrir lo que falta' }).getByRole('listitem');
  await expect(open.filter({ hasText: 'cuando requestPasswordReset falla: error.next tiene valor.' })).toHaveCount(1);
  const count = await open.count();
  await page.getByRole('button', { name: `Anotar ${count} pendientes` }).click();
  await expect.poll(async () => (await walks()).filter(({ todo }) => todo !== undefined).length).toBe(count);

  // The scenario runs as a citizen of the sample data. Its end is announced in a live region.
  await page.getByLabel('Quién recorre').selectOption({ label: 'Ana Lucía Pereira Sosa, con cuenta activa' });
  await page.getByLabel('Empieza en').selectOption('fuera');
  await page.getByRole('button', { name: 'Empezar el recorrido' }).click();
  await expect(page.getByText('El recorrido terminó acá: sale a /login.')).toBeVisible();
  expect(await axe()).toEqual([]);
});
