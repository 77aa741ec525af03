// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FieldEditForm } from '../../src/studio/editor/edits/field-edit-form.tsx';
import { createNewFieldChanges } from '../../src/studio/editor/fields/new-field-changes.ts';
import { emptyNewField, type NewField } from '../../src/studio/editor/fields/new-field.ts';
import { ScreenFormPanel } from '../../src/studio/editor/panels/screen-form-panel.tsx';
import { readStudioReferenceData } from '../../src/studio/server/studio-reference-data.ts';
import { root } from '../definitions/support/fixtures.ts';
import { applyPreviewed, press, createRecordingStudio, type, renderInStudio } from './support/open-studio.ts';
import { ProjectCopy } from './support/project-copy.ts';

const name = 'contacto';
const schema = `schemas/${name}/schema.json`;
const ui = `schemas/${name}/ui.json`;
let project: ProjectCopy;
beforeEach(async () => {
  project = await ProjectCopy.make();
});
afterEach(async () => {
  cleanup();
  await project.remove();
});

const referenceData = await readStudioReferenceData(root);
const check = (label: string) => fireEvent.click(screen.getByLabelText(label));

/** Renders the form of a screen. Returns the spy for its writes. */
async function open() {
  const { studio, write } = createRecordingStudio({ ...project, referenceData });
  renderInStudio(studio, <ScreenFormPanel screen={name} cases={await project.cases(name)} />);
  return write;
}

function edit(field: string) {
  const { studio, write } = createRecordingStudio({ ...project, referenceData });
  renderInStudio(studio, <FieldEditForm screen={name} field={field} onDone={vi.fn()} />);
  return write;
}

const field = (key: string): NewField => ({
  ...emptyNewField,
  name: key,
  rule: 'none',
  label: { es: 'Uno', pt: 'Um' },
});

async function addFieldInForm({ name: key = '', ...part }: Partial<NewField>): Promise<void> {
  await project.write(createNewFieldChanges(project.set, name, { ...field(key), ...part }, await project.cases(name)));
}

/** Waits for the form's write, and applies it. Returns the resulting schema. */
async function applyWrite(write: Awaited<ReturnType<typeof open>>) {
  await vi.waitFor(() => expect(write).toHaveBeenCalledTimes(1));
  await project.write(...(write.mock.calls[0] ?? [[]]));
  return JSON.parse(await project.text(schema)) as Record<string, Record<string, unknown>>;
}

const labels = (es: string, pt: string): void => {
  type('Nombre en español', es);
  type('Nombre en portugués', pt);
};

test('[EST-06] ScreenFormPanel adds a list together with its first field', async () => {
  const write = await open();
  press('Agregar campo');
  labels('Personas a cargo', 'Dependentes');
  type('Tipo', 'list');
  type('Nombre de cada elemento en español', 'Persona');
  type('Nombre de cada elemento en portugués', 'Pessoa');
  type('Como mínimo estos elementos', '1');
  type('Como máximo estos elementos', '4');
  press('Seguir con su primer campo');
  const form = within(screen.getByRole('form', { name: 'Primer campo de «Personas a cargo»' }));
  expect(document.activeElement).toBe(form.getByLabelText('Nombre en español'));
  expect(form.queryByLabelText('Obligatorio'), 'list items have no such option').toBeNull();
  labels('Edad', 'Idade');
  type('Tipo', 'number');
  press('Agregar');
  expect((await applyWrite(write))['properties']?.['personas_a_cargo']).toEqual({
    type: 'array',
    minItems: 1,
    maxItems: 4,
    items: { type: 'object', required: ['edad'], properties: { edad: { type: 'integer' } } },
  });
});

test('[EST-06] ScreenFormPanel adds no rule by default, and asks in Spanish for a missing value', async () => {
  const write = await open();
  press('Agregar campo');
  const label = screen.getByLabelText<HTMLInputElement>('Nombre en español');
  press('Agregar');
  expect(label.validationMessage).toBe('Completá este campo.');
  labels('Expediente', 'Processo');
  press('Agregar');
  expect((await applyWrite(write))['properties']?.['expediente']).toEqual({ type: 'string', maxLength: 200 });
});

test('[EST-06] ScreenFormPanel derives the value of a choice from its text, and shows it', async () => {
  const write = await open();
  press('Agregar campo');
  labels('Turno', 'Turno');
  type('Tipo', 'choice');
  type('Opciones, una por línea: valor = español = portugués', 'mañana\ntarde = Por la tarde = À tarde\nUY = Uruguay');
  expect(screen.getByText('Se guardan estos valores: manana, tarde, UY.')).toBeTruthy();
  press('Agregar');
  expect((await applyWrite(write))['properties']?.['turno']).toEqual({
    type: 'string',
    enum: ['manana', 'tarde', 'UY'],
  });
  expect(JSON.parse(await project.text(ui))).toMatchObject({
    fields: { turno: { 'ui:enumNames': ['mañana', 'Por la tarde', 'Uruguay'] } },
  });
});

test('[EST-06] ScreenFormPanel adds a field to a group, and edits the help of a nested field in its row', async () => {
  await addFieldInForm({ name: 'domicilio', kind: 'group', inner: field('calle') });
  const write = await open();
  press('Agregar campo');
  labels('Apartamento', 'Apartamento');
  type('Dónde va', 'domicilio');
  press('Agregar');
  const { properties } = await applyWrite(write);
  expect(properties?.['domicilio']).toMatchObject({ properties: { apartamento: { type: 'string', maxLength: 200 } } });
  cleanup();
  const { studio } = createRecordingStudio({ ...project, referenceData });
  renderInStudio(studio, <ScreenFormPanel screen={name} cases={await project.cases(name)} />);
  type('Ayuda: domicilio.apartamento', 'Si tiene.');
  expect(studio.stage).toHaveBeenCalledWith(ui, {
    pointer: '/fields/domicilio/apartamento/ui:help',
    value: 'Si tiene.',
  });
});

test('[EST-06 ENG-06] ScreenFormPanel adds a list to the items of a list, but offers no list inside that one', async () => {
  const hijos = { name: 'hijos', kind: 'list', inner: { ...field('edad'), kind: 'number', required: true } } as const;
  await addFieldInForm({ ...hijos, most: '5', itemLabel: { es: 'Hijo', pt: 'Filho' } });
  const write = await open();
  press('Agregar campo');
  labels('Escuelas', 'Escolas');
  type('Dónde va', 'hijos.items');
  type('Tipo', 'list');
  type('Nombre de cada elemento en español', 'Escuela');
  type('Nombre de cada elemento en portugués', 'Escola');
  type('Como máximo estos elementos', '3');
  press('Seguir con su primer campo');
  labels('Nombre', 'Nome');
  press('Agregar');
  const { properties } = await applyWrite(write);
  expect(properties?.['hijos']).toMatchObject({ items: { properties: { escuelas: { type: 'array', maxItems: 3 } } } });
  cleanup();
  await open();
  press('Agregar campo');
  type('Tipo', 'list');
  type('Dónde va', 'hijos.items.escuelas.items');
  expect(screen.getByLabelText('Tipo')).toHaveProperty('value', 'text');
  const kinds = [...(screen.getByLabelText('Tipo') as HTMLSelectElement).options].map(({ value }) => value);
  expect([kinds.includes('list'), kinds.includes('number')]).toEqual([false, true]);
});

test('[EST-06] ScreenFormPanel adds a computed field with a sentence for its formula, and FieldEditForm changes the formula', async () => {
  await addFieldInForm({ name: 'precio', kind: 'decimal', label: { es: 'Precio', pt: 'Preço' } });
  const write = await open();
  press('Agregar campo');
  labels('Con impuesto', 'Com imposto');
  type('Tipo', 'computed');
  type('Operación', '*');
  type('Dato 2', '=');
  type('Valor 2', '1.22');
  expect(screen.getByText('Se calcula: «Precio» por 1.22.')).toBeTruthy();
  press('Agregar');
  expect((await applyWrite(write))['computed']).toEqual({ con_impuesto: { '*': [{ var: 'form.precio' }, 1.22] } });
  cleanup();
  const again = await edit('con_impuesto');
  type('Operación', '+');
  press('Agregar dato');
  type('Dato 3', 'precio');
  expect(await applyPreviewed(again)).toEqual({
    [schema]: [
      { pointer: '/computed/con_impuesto', value: { '+': [{ var: 'form.precio' }, 1.22, { var: 'form.precio' }] } },
    ],
  });
});

test('[EST-06] FieldEditForm edits an operation that is an operand of another operation', async () => {
  await addFieldInForm({ name: 'precio', kind: 'decimal', label: { es: 'Precio', pt: 'Preço' } });
  const formula = { operation: '*', operands: [{ field: 'precio' }, { value: 2 }] } as const;
  await addFieldInForm({ name: 'total', kind: 'computed', formula });
  const write = await edit('total');
  type('Dato 1', '()');
  type('Operación del dato 1', '-');
  type('Dato 1.2', '=');
  type('Valor 1.2', '5');
  expect(screen.getByText('Se calcula: («Precio» menos 5) por 2.')).toBeTruthy();
  const inner = { '-': [{ var: 'form.precio' }, 5] };
  expect((await applyPreviewed(write))[schema]).toEqual([{ pointer: '/computed/total', value: { '*': [inner, 2] } }]);
  await project.write(...(write.mock.calls[0] ?? [[]]));
  cleanup();
  const again = await edit('total');
  expect(screen.getByLabelText<HTMLSelectElement>('Dato 1').value).toBe('()');
  type('Operación del dato 1', '+');
  press('Agregar dato en 1');
  type('Dato 1.3', '()');
  expect(screen.getByText('Se calcula: («Precio» más 5 más («Precio» más «Precio»)) por 2.')).toBeTruthy();
  press('Quitar el dato 1.3');
  type('Dato 2', 'precio');
  const sum = { '+': [{ var: 'form.precio' }, 5] };
  expect((await applyPreviewed(again))[schema]).toEqual([
    { pointer: '/computed/total', value: { '*': [sum, { var: 'form.precio' }] } },
  ]);
});

test('[EST-06] ScreenFormPanel adds choices that depend on another field, and editing the choices keeps the dependency', async () => {
  const choices = (...values: readonly string[]) => values.map((value) => ({ value, es: value, pt: value }));
  await addFieldInForm({
    name: 'medio',
    kind: 'choice',
    label: { es: 'Medio', pt: 'Meio' },
    choices: choices('auto', 'bus'),
  });
  const write = await open();
  press('Agregar campo');
  labels('Clase', 'Classe');
  type('Tipo', 'choice');
  type('Opciones, una por línea: valor = español = portugués', 'turista = Turista\nejecutiva = Ejecutiva');
  type('Las opciones dependen de', 'medio');
  check('Ejecutiva, si es bus');
  expect(
    screen.getByLabelText<HTMLInputElement>('Turista, si es bus').disabled,
    'the last choice cannot be removed',
  ).toBe(true);
  press('Agregar');
  const part = (left: readonly string[]) => ({
    if: { properties: { medio: { const: 'bus' } }, required: ['medio'] },
    then: { properties: { clase: { enum: left } } },
  });
  expect((await applyWrite(write))['allOf']).toEqual([part(['turista'])]);
  cleanup();
  const again = await edit('clase');
  const lines = 'Opciones, una por línea: valor = español = portugués';
  type(lines, `${screen.getByLabelText<HTMLTextAreaElement>(lines).value}\nlujo = Lujo = Luxo`);
  check('Lujo, si es bus');
  expect((await applyPreviewed(again))[schema]).toEqual([
    { pointer: '/properties/clase/enum', value: ['turista', 'ejecutiva', 'lujo'] },
    { pointer: '/allOf', value: [part(['turista', 'lujo'])] },
  ]);
});

test('[EST-06] ScreenFormPanel adds choices to a list item that depend on a field of the same item, and they can be edited', async () => {
  const choices = (...values: readonly string[]) => values.map((value) => ({ value, es: value, pt: value }));
  const means = {
    ...field('medio'),
    kind: 'choice',
    choices: choices('auto', 'bus'),
    required: true,
    good: 'bus',
  } as const;
  await addFieldInForm({ name: 'aparte', kind: 'choice', choices: choices('uno', 'dos') });
  await addFieldInForm({ name: 'viajes', kind: 'list', inner: means, itemLabel: { es: 'Viaje', pt: 'Viagem' } });
  const write = await open();
  press('Agregar campo');
  labels('Clase', 'Classe');
  type('Dónde va', 'viajes.items');
  type('Tipo', 'choice');
  type('Opciones, una por línea: valor = español = portugués', 'turista = Turista\nejecutiva = Ejecutiva');
  const follow = screen.getByLabelText<HTMLSelectElement>('Las opciones dependen de');
  expect([...follow.options].map(({ value }) => value)).toEqual(['', 'viajes.items.medio']);
  type('Las opciones dependen de', 'viajes.items.medio');
  check('Ejecutiva, si es bus');
  press('Agregar');
  const part = (answer: string, left: string) => ({
    if: { properties: { medio: { const: answer } }, required: ['medio'] },
    then: { properties: { clase: { enum: [left] } } },
  });
  const { properties } = await applyWrite(write);
  expect(properties?.['viajes']).toMatchObject({ items: { allOf: [part('bus', 'turista')] } });
  cleanup();
  const again = await edit('viajes.items.clase');
  expect(screen.getByLabelText<HTMLInputElement>('Ejecutiva, si es bus').checked).toBe(false);
  check('Ejecutiva, si es bus');
  check('Turista, si es auto');
  expect((await applyPreviewed(again))[schema]).toEqual([
    { pointer: '/properties/viajes/items/allOf', value: [part('auto', 'ejecutiva')] },
  ]);
});

test('[EST-15] FieldEditForm edits only names and limits of a list, and the name of its items', async () => {
  const inner = { ...field('numero'), required: true };
  await addFieldInForm({ name: 'telefonos', kind: 'list', inner, itemLabel: { es: 'Teléfono', pt: 'Telefone' } });
  const write = await edit('telefonos');
  expect(screen.queryByLabelText('Control')).toBeNull();
  type('Como mínimo estos elementos', '2');
  type('Como máximo estos elementos', '5');
  type('Nombre en español', 'Tus teléfonos');
  expect(await applyPreviewed(write)).toEqual({
    [schema]: [
      { pointer: '/properties/telefonos/minItems', value: 2 },
      { pointer: '/properties/telefonos/maxItems', value: 5 },
    ],
    [ui]: [{ pointer: '/fields/telefonos/ui:title', value: 'Tus teléfonos' }],
  });
  cleanup();
  const item = await edit('telefonos.items');
  type('Nombre en español', 'Número');
  expect(await applyPreviewed(item)).toEqual({
    [ui]: [{ pointer: '/fields/telefonos/items/ui:title', value: 'Número' }],
  });
});
