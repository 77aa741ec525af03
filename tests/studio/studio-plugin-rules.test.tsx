// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FieldEditForm } from '../../src/studio/editor/edits/field-edit-form.tsx';
import { builtInWidgets } from '../../src/engine/core/built-in-widgets.ts';
import { listRuleParameters } from '../../src/studio/editor/edits/plugin-rule-fields.tsx';
import { openStudio, press, createRecordingStudio, type, renderInStudio } from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});
afterEach(cleanup);

function openFieldForm(name: string, field: string, referenceData = own.referenceData) {
  const { studio, look } = createRecordingStudio({ ...own, referenceData });
  renderInStudio(studio, <FieldEditForm screen={name} field={field} onDone={vi.fn()} />);
  return look;
}

async function waitForLook(look: ReturnType<typeof openFieldForm>) {
  fireEvent.click(screen.getByRole('button', { name: 'Ver qué cambia' }));
  await vi.waitFor(() => expect(look).toHaveBeenCalledTimes(1));
  const [[changes] = []] = look.mock.calls;
  const answer = await look.mock.results[0]?.value;
  return [(changes ?? []).map(({ file, edits }) => [file, edits]), answer?.outcome];
}

const offered = () =>
  [...(screen.queryByLabelText<HTMLSelectElement>('Otra regla')?.options ?? [])].map(({ text }) => text);

test('[EST-15] FieldEditForm shows a plugin rule with its message, and changes its number', async () => {
  const look = openFieldForm('firma-digital-firmar', 'archivo');
  const legend = 'Es un archivo: No pudimos leer ese archivo. Elegilo de nuevo.';
  expect(screen.getByRole('group', { name: legend })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Tamaño máximo en KB').value).toBe('2048');
  type('Tamaño máximo en KB', '1024');
  expect(await waitForLook(look)).toEqual([
    [['schemas/firma-digital-firmar/schema.json', [{ pointer: '/properties/archivo/file', value: { maxKb: 1024 } }]]],
    'fine',
  ]);
});

test('[EST-15] FieldEditForm removes a plugin rule, and shows a rule of a shared definition', async () => {
  const look = openFieldForm('registro-contrasena', 'password');
  expect(
    screen.getByText(/^No es una contraseña común: Esa contraseña es muy común. .*password\.json new/),
  ).toBeTruthy();
  press('Quitar la regla «No se parece a datos de la persona»');
  expect(screen.queryByLabelText('Cuánto se puede parecer, entre 0 y 1')).toBeNull();
  const [changes] = await waitForLook(look);
  expect(changes).toEqual([
    ['schemas/registro-contrasena/schema.json', [{ pointer: '/properties/password/notSimilarTo' }]],
  ]);
});

test('[EST-15] FieldEditForm edits rule parameters: fields as checkboxes, lists one per line, decimals as typed', async () => {
  const look = openFieldForm('registro-contrasena', 'password');
  const fields = within(screen.getByRole('group', { name: 'Campos con esos datos' }));
  expect(fields.getByLabelText<HTMLInputElement>('email').checked, 'field of an earlier step').toBe(true);
  fireEvent.click(fields.getByLabelText('email'));
  type('Los que juntos son un nombre, en su orden, uno por línea', 'primer_nombre\nprimer_apellido');
  const threshold = 'Cuánto se puede parecer, entre 0 y 1';
  for (const typed of ['0', '0.', '0.6']) {
    type(threshold, typed);
    expect(screen.getByLabelText<HTMLInputElement>(threshold).value).toBe(typed);
  }
  const [changes, outcome] = await waitForLook(look);
  expect(outcome).toBe('fine');
  const value = {
    fields: expect.not.arrayContaining(['email']),
    names: ['primer_nombre', 'primer_apellido'],
    threshold: 0.6,
  };
  expect(changes).toEqual([
    [
      'schemas/registro-contrasena/schema.json',
      [{ pointer: '/properties/password/notSimilarTo', value: expect.objectContaining(value) }],
    ],
  ]);
});

test('[EST-15] FieldEditForm adds plugin rules that fit the type of the field, with their required parameters', async () => {
  const look = openFieldForm('contacto', 'asunto');
  expect(offered()).toEqual(expect.arrayContaining(['Es una cédula uruguaya, con su dígito verificador']));
  type('Otra regla', 'uruguayanId');
  press('Agregar esta regla');
  expect(offered(), 'rules that the field already has').not.toContain(
    'Es una cédula uruguaya, con su dígito verificador',
  );
  type('Otra regla', 'calendarDate');
  press('Agregar esta regla');
  type('Desde el (AAAA-MM-DD)', '2026-01-01');
  type('Otra regla', 'matches');
  press('Agregar esta regla');
  const other = screen.getByLabelText<HTMLSelectElement>('El otro campo');
  expect([other.required, [...other.options].map(({ text }) => text)]).toEqual([
    true,
    expect.arrayContaining(['', 'Motivo solicitud']),
  ]);
  type('El otro campo', 'mensaje');
  expect(await waitForLook(look)).toEqual([
    [
      [
        'schemas/contacto/schema.json',
        [
          { pointer: '/properties/asunto/uruguayanId', value: true },
          { pointer: '/properties/asunto/calendarDate', value: { from: '2026-01-01' } },
          { pointer: '/properties/asunto/matches', value: { field: 'mensaje' } },
        ],
      ],
    ],
    'fine',
  ]);
});

test('[EST-15] FieldEditForm writes a rule without parameters as true, and offers only rules that fit the field', async () => {
  const look = openFieldForm('contacto', 'asunto');
  type('Otra regla', 'calendarDate');
  press('Agregar esta regla');
  type('Hasta el (AAAA-MM-DD)', '2026-01-01');
  type('Hasta el (AAAA-MM-DD)', '');
  const [changes] = await waitForLook(look);
  expect(JSON.stringify(changes)).toContain('{"pointer":"/properties/asunto/calendarDate","value":true}');
  cleanup();
  openFieldForm('contacto', 'logueado');
  expect(offered()).toEqual(['Es igual a otro campo']);
  cleanup();
  openFieldForm('contacto', 'telefono');
  expect(offered()).not.toContain('Es un teléfono internacional');
});

test('[EST-15] FieldEditForm overrides the message of a shared plugin rule, and drops a message with its rule', async () => {
  const look = openFieldForm('contacto', 'telefono');
  type('Mensaje de «Es un teléfono internacional» en español', 'Con el código del país.');
  type('Mensaje de «Es un teléfono internacional» en portugués', 'Com o código do país.');
  type('Otra regla', 'matches');
  press('Agregar esta regla');
  type('Mensaje de «Es igual a otro campo» en español', 'Igual.');
  press('Quitar la regla «Es igual a otro campo»');
  expect(await waitForLook(look)).toEqual([
    [
      ['schemas/contacto/ui.json', [{ pointer: '/messages/telefono/phone', value: 'Con el código del país.' }]],
      ['schemas/contacto/ui.pt.json', [{ pointer: '/messages/telefono/phone', value: 'Com o código do país.' }]],
    ],
    'fine',
  ]);
});

test('[EST-15] FieldEditForm shows a boolean parameter as a checkbox', async () => {
  const strict = {
    title: 'Es un color',
    message: '',
    types: ['string'],
    parameters: {
      type: 'object',
      required: ['strict'],
      properties: { strict: { type: 'boolean' }, loud: { type: 'boolean' } },
    },
    labels: { strict: 'Estricta', loud: 'Con aviso' },
  };
  const look = openFieldForm('contacto', 'asunto', { ...own.referenceData, rules: { color: strict } });
  press('Agregar esta regla');
  expect(screen.getByLabelText<HTMLInputElement>('Estricta').checked).toBe(false);
  fireEvent.click(screen.getByLabelText('Con aviso'));
  expect(screen.getByLabelText<HTMLInputElement>('Con aviso').checked).toBe(true);
  fireEvent.click(screen.getByLabelText('Con aviso'));
  const [changes] = await waitForLook(look);
  expect(changes).toEqual([
    ['schemas/contacto/schema.json', [{ pointer: '/properties/asunto/color', value: { strict: false } }]],
  ]);
});

test('every plugin rule and each of its parameters has a title and a control', () => {
  for (const [keyword, { title, labels, parameters }] of Object.entries(own.referenceData.rules)) {
    expect(title, `plugins/…/titles.json: ${keyword}`).not.toBe(keyword);
    const blank = listRuleParameters(parameters, true);
    const named = blank.length > 0 ? blank : listRuleParameters(parameters, {});
    for (const { name, kind } of named.filter((one) => one.name !== ''))
      expect([labels[name], kind], `${keyword}.${name}`).toEqual([expect.any(String), expect.any(String)]);
  }
});

test('[EST-15] every plugin widget has a title, and FieldEditForm offers only widgets for the type of the field', () => {
  const { widgets, widgetTitles } = own.referenceData;
  const ofPlugins = widgets.filter((name) => !Object.hasOwn(builtInWidgets, name));
  expect(ofPlugins.filter((name) => (widgetTitles[name] ?? name) === name)).toEqual([]);
  openFieldForm('contacto', 'mensaje', own.referenceData);
  const controls = within(screen.getByLabelText('Control'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
  expect(controls).toEqual(expect.arrayContaining(['Varios renglones', 'Teléfono internacional']));
  expect(controls).not.toContain('Una casilla');
});
