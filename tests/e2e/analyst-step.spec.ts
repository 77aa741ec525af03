import { signInAtDesk } from './support/agents.ts';
import { expect, test as base } from './support/fixtures.ts';
import { startPortal } from './support/portal.ts';
import { copyProject, type ProjectCopy } from './support/project-copy.ts';
import { newForeigner } from './support/registration.ts';

/** A project of the worker's own, in development, that an analyst edits while its server runs. */
const test = base.extend<object, { project: ProjectCopy }>({
  project: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const project = await copyProject();
      await use(project);
      await project.remove();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ project }, use) => {
      const portal = await startPortal(project.root, {
        NODE_ENV: 'development',
        SUPPORT_HOURS: 'mon-sun 09:00-10:00 x2',
      });
      await use(portal);
      await portal.stop();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});
test.use({ actionTimeout: 10_000 });

const flow = 'flows/agenda-soporte.json';
const question = '¿En qué lengua te atendemos?';

/** A step with one field: a folder of schemas/, a state, and its place among the steps. */
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
  await project.edit(flow, '"target": "telefono" }, "fecha"] }', '"target": "telefono" }, "atencion"] }');
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

test('[ANA-01 ENG-10] a step with a new field, by files alone, is asked, checked, booked and read by the agent', async ({
  page,
  project,
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
  await page.getByLabel('Número de documento').fill(newForeigner().document);
  await page.getByLabel('Correo electrónico').fill('ines.lengua@example.com');
  await page.getByLabel('Número de teléfono').fill('+598 99 123 456');
  await page.getByLabel('Asunto').selectOption({ label: 'Otro' });
  await page.getByLabel('Motivo de la consulta').fill('Tengo una duda.');
  const next = page.getByRole('button', { name: 'Continuar' });
  await next.click();

  await expect(page.getByRole('heading', { level: 1, name: 'Cómo te atendemos' })).toBeVisible();
  await expect(page.getByText('Paso 2 de 4: Cómo te atendemos')).toBeVisible();
  await expect(next, 'it is required').toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: 'Lengua de señas' }).check();
  expect(await axe()).toEqual([]);
  await next.click();

  await expect(page.getByRole('heading', { level: 1, name: 'Elegí día y hora' })).toBeVisible(); // the step before has radios as well
  await page.getByRole('radio').first().check();
  await next.click();
  await page.getByLabel('No soy un robot').press(' ');
  await expect(page.getByText('Verificación completa')).toBeVisible();
  await page.getByRole('button', { name: 'Reservar videollamada' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Reservamos tu videollamada' })).toBeVisible();

  const booked = await mail('ines.lengua@example.com');
  const [, day, month, year] = /\b(\d{1,2}) de (\p{L}+) de (\d{4})/u.exec(booked.text) ?? [];
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
