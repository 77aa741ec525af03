import { afterEach, beforeEach, expect, test } from 'vitest';
import { listScreenRemovals } from '../../src/studio/editor/edits/screen-removals.ts';
import { createChoiceDependencyEdits, findChoiceDependency } from '../../src/studio/editor/fields/dependent-choices.ts';
import { parseFormula, listFormulaOperands, type Formula } from '../../src/studio/editor/fields/formulas.ts';
import { getFieldNameInTestCase, createNewFieldChanges } from '../../src/studio/editor/fields/new-field-changes.ts';
import {
  emptyNewField,
  flattenNewField,
  type FieldKind,
  type NewField,
} from '../../src/studio/editor/fields/new-field.ts';
import { describeJsonLogic } from '../../src/studio/editor/tasks/describe-json-logic.ts';
import { listReorderableScreenLists } from '../../src/studio/editor/tasks/reorderable-screen-lists.ts';
import { listLabelledFields } from '../../src/studio/editor/titles.ts';
import { ProjectCopy } from './support/project-copy.ts';

const screen = 'contacto';
const schema = `schemas/${screen}/schema.json`;
const ui = `schemas/${screen}/ui.json`;
const pt = `schemas/${screen}/ui.pt.json`;
const fixtures = `tests/fixtures/${screen}.json`;

let project: ProjectCopy;
beforeEach(async () => {
  project = await ProjectCopy.make();
});
afterEach(() => project.remove());

const both = (es: string, inPt: string) => ({ es, pt: inPt });
const field = (name: string, kind: FieldKind, part: Partial<NewField> = {}): NewField => ({
  ...emptyNewField,
  name,
  kind,
  rule: 'none',
  label: both(`${name} uno`, `${name} um`),
  ...part,
});

async function add(own: NewField): Promise<void> {
  const changes = createNewFieldChanges(project.set, screen, own, await project.cases(screen));
  const fields = flattenNewField(own).map(([name]) => name);
  await project.write(changes, {
    field: getFieldNameInTestCase(project.set, screen, own),
    propose: { screen, fields },
  });
}

async function json(file: string): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse(await project.text(file)) as Record<string, Record<string, unknown>>;
}

async function groupFields(): Promise<object> {
  const { domicilio } = (await json(schema))['properties'] as { readonly domicilio: { readonly properties: object } };
  return domicilio.properties;
}

/** Returns the differences between the expected results of cases and the results of validation. */
async function listCaseFaults(): Promise<readonly string[]> {
  const { list } = await project.cases(screen);
  return list.flatMap(({ name, faults: own }) => own.map((fault) => `${name}: ${JSON.stringify(fault)}`));
}

async function removeField(name: string): Promise<void> {
  const found = listScreenRemovals(project.set, screen, await project.cases(screen));
  await project.write(found.find((own) => own.name === `Campo «${name.split('.').at(-1)} uno»`)?.changes ?? []);
}

test('[EST-06] createNewFieldChanges writes groups with nested fields, texts and cases, and removing them restores the files', async () => {
  const before = await Promise.all([schema, ui, pt, fixtures].map(json));
  const street = field('calle', 'text', {
    required: true,
    rule: 'maxLength',
    parameter: '9',
    good: 'Sol',
  });
  await add(field('domicilio', 'group', { required: true, inner: street }));
  expect((await json(schema))['properties']?.['domicilio']).toEqual({
    type: 'object',
    required: ['calle'],
    properties: { calle: { type: 'string', maxLength: 9 } },
  });
  const digits = { rule: 'digits', good: '7', message: both('Solo cifras.', 'Somente dígitos.') } as const;
  await add(field('puerta', 'text', { within: 'domicilio', required: true, ...digits }));
  await add(field('barrio', 'group', { within: 'domicilio', inner: field('nombre', 'text') }));
  expect((await json(ui))['fields']?.['domicilio']).toEqual({
    'ui:title': 'domicilio uno',
    calle: { 'ui:title': 'calle uno' },
    puerta: { 'ui:title': 'puerta uno' },
    barrio: { 'ui:title': 'barrio uno', nombre: { 'ui:title': 'nombre uno' } },
  });
  expect((await json(pt))['messages']).toMatchObject({ 'domicilio.puerta': { pattern: 'Somente dígitos.' } });
  expect((await json(fixtures))['cases']?.['propuesta-domicilio.puerta-pattern']).toEqual({
    note: expect.any(String) as string,
    with: { domicilio: { calle: 'Sol', puerta: 'x' } },
    errors: { 'domicilio.puerta': 'Solo cifras.' },
  });
  expect(await listCaseFaults()).toEqual([]);
  expect(listLabelledFields(project.set, screen)['domicilio.barrio.nombre']?.title).toBe('nombre uno');
  const order = listReorderableScreenLists(project.set, screen).find(
    ({ name }) => name === 'Campos de «domicilio uno»',
  );
  await project.write(order?.change(['barrio', 'calle', 'puerta']) ?? []);
  expect(Object.keys(await groupFields())).toEqual(['barrio', 'calle', 'puerta']);
  await project.undo();
  expect(Object.keys(await groupFields())).toEqual(['calle', 'puerta', 'barrio']);
  for (const name of ['domicilio.barrio', 'domicilio.puerta', 'domicilio']) await removeField(name);
  expect(await Promise.all([schema, ui, pt, fixtures].map(json))).toEqual(before);
});

test('[EST-06] createNewFieldChanges writes a list with its limits, the fields of its items and their cases', async () => {
  const number = field('numero', 'text', { required: true, rule: 'digits', good: '1' });
  const item = both('Teléfono', 'Telefone');
  await add(field('telefonos', 'list', { required: true, inner: number, itemLabel: item, least: '1', most: '3' }));
  expect((await json(schema))['properties']?.['telefonos']).toEqual({
    type: 'array',
    minItems: 1,
    maxItems: 3,
    items: {
      type: 'object',
      required: ['numero'],
      properties: { numero: { type: 'string', maxLength: 200, pattern: '^[0-9]+$' } },
    },
  });
  expect((await json(pt))['fields']?.['telefonos']).toEqual({
    'ui:title': 'telefonos um',
    items: { 'ui:title': 'Telefone', numero: { 'ui:title': 'numero um' } },
  });
  await add(field('constancia', 'file', { within: 'telefonos.items' }));
  await add(
    field('tipo', 'text', {
      within: 'telefonos.items',
      required: true,
      rule: 'maxLength',
      parameter: '3',
      good: 'A',
    }),
  );
  const cases = await json(fixtures);
  expect(cases['data']?.['telefonos']).toEqual([{ numero: '1', tipo: 'A' }]);
  expect(cases['cases']?.['propuesta-telefonos.items.tipo-maxLength-1']).toMatchObject({
    with: { telefonos: [{ numero: '1', tipo: 'aaaa' }] },
    errors: { 'telefonos.0.tipo': expect.any(String) as string },
  });
  expect(
    cases['cases']?.['propuesta-telefonos.items.numero-pattern'],
    'the case contains the new required field',
  ).toMatchObject({
    with: { telefonos: [{ numero: 'x', tipo: 'A' }] },
  });
  expect(await listCaseFaults()).toEqual([]);
  await removeField('telefonos.items.tipo');
  expect((await json(fixtures))['data']?.['telefonos']).toEqual([{ numero: '1' }]);
  expect(await listCaseFaults()).toEqual([]);
});

test('[EST-06] createNewFieldChanges writes computed fields from numbers, texts and list sums, with a sentence for each formula', async () => {
  await add(field('precio', 'decimal'));
  await add(
    field('renglones', 'list', { inner: field('importe', 'number', { required: true }), itemLabel: both('R', 'R') }),
  );
  const choices = listFormulaOperands(project.set, screen, { operation: '+', own: 'total' });
  expect(choices).toEqual([
    ['precio', 'precio uno'],
    ['renglones.items', 'cuántos hay en «renglones uno»'],
    ['renglones.items.importe', 'la suma de «importe uno» en «renglones uno»'],
  ]);
  const [price, count, sum] = choices.map(([own]) => ({ field: own }));
  if (!price || !count || !sum) throw new Error('three operands');
  const formulas: readonly (readonly [name: string, formula: Formula, sentence: string])[] = [
    ['iva', { operation: '*', operands: [price, { value: 0.22 }] }, '«precio uno» por 0.22'],
    [
      'total',
      { operation: '+', operands: [price, count, sum] },
      '«precio uno» más cuántos hay en «renglones uno» más la suma de «importe uno» en «renglones uno»',
    ],
    [
      'rotulo',
      { operation: 'cat', operands: [{ field: 'mensaje' }, { value: ' (uy)' }] },
      '«Motivo solicitud» seguido de « (uy)»',
    ],
    ['solo', { operation: '+', operands: [sum] }, 'la suma de «importe uno» en «renglones uno»'],
    [
      'neto',
      {
        operation: '*',
        operands: [{ operation: '+', operands: [price, { operation: 'min', operands: [sum, count] }] }, { value: 0.5 }],
      },
      '(«precio uno» más (el menor entre la suma de «importe uno» en «renglones uno» y cuántos hay en «renglones uno»)) por 0.5',
    ],
    [
      'aviso',
      { operation: 'cat', operands: [{ value: '$ ' }, { operation: '*', operands: [price, { value: 2 }] }] },
      '«$ » seguido de («precio uno» por 2)',
    ],
  ];
  for (const [name, formula, sentence] of formulas) {
    await add(field(name, 'computed', { formula }));
    const logic = (await json(schema))['computed']?.[name] as never; // the cast is safe, because the compiler has accepted the rule
    expect(parseFormula(logic)).toEqual(formula);
    expect(describeJsonLogic(logic, { fields: listLabelledFields(project.set, screen) })).toBe(sentence);
  }
  const written = await json(schema);
  expect(written['computed']?.['iva']).toEqual({ '*': [{ var: 'form.precio' }, 0.22] });
  expect(written['properties']).toMatchObject({ iva: { type: 'number' }, rotulo: { type: 'string' } });
  for (const byHand of [{ '*': [{ if: [true, 1, 2] }, 2] }, { '*': [{ cat: ['1', '2'] }, 2] }])
    expect(parseFormula(byHand), 'only editable as JSON').toBe(null);
  expect(await listCaseFaults()).toEqual([]);
  await removeField('iva');
  expect(Object.keys((await json(schema))['computed'] ?? {})).toEqual(['total', 'rotulo', 'solo', 'neto', 'aviso']);
});

test('[EST-06] createNewFieldChanges writes dependent choices, merges equal conditions and omits those that allow everything', async () => {
  const means = ['auto', 'bici', 'bus'].map((value) => ({ value, es: value, pt: value }));
  const seats = ['turista', 'ejecutiva'].map((value) => ({ value, es: value, pt: value }));
  await add(field('medio', 'choice', { choices: means }));
  const left = { '"bici"': ['turista'], '"bus"': ['turista'], '"auto"': ['turista', 'ejecutiva'] };
  await add(field('clase', 'choice', { choices: seats, dependence: { on: 'medio', left } }));
  await add(
    field('extras', 'choices', { choices: seats, dependence: { on: 'medio', left: { '"bus"': ['ejecutiva'] } } }),
  );
  const part = (asked: object, name: string, said: object) => ({
    if: { properties: { medio: asked }, required: ['medio'] },
    then: { properties: { [name]: said } },
  });
  expect((await json(schema))['allOf']).toEqual([
    part({ enum: ['bici', 'bus'] }, 'clase', { enum: ['turista'] }),
    part({ const: 'bus' }, 'extras', { items: { enum: ['ejecutiva'] } }),
  ]);
  const on = findChoiceDependency(project.set, screen, 'clase');
  expect(on).toEqual({ on: 'medio', left: { '"bici"': ['turista'], '"bus"': ['turista'] } });
  const now = { on: on ?? { on: '', left: {} }, choices: ['turista', 'ejecutiva'], isSeveral: false };
  expect(createChoiceDependencyEdits(project.set, screen, 'clase', now), 'unchanged dependency').toEqual([]);
  const other = { ...now, on: { on: 'medio', left: { '"auto"': ['ejecutiva'] } } };
  expect(createChoiceDependencyEdits(project.set, screen, 'clase', other)).toEqual([
    { pointer: '/allOf/0' },
    { pointer: '/allOf/-', value: part({ const: 'auto' }, 'clase', { enum: ['ejecutiva'] }) },
  ]);
  await removeField('clase');
  await removeField('extras');
  expect(await project.text(schema)).not.toMatch(/allOf|clase|extras/);
});

test('[EST-06] createNewFieldChanges writes dependent choices inside groups, and removing a field removes their conditions', async () => {
  const two = ['uno', 'dos'].map((value) => ({ value, es: value, pt: value }));
  const of = (on: string) => ({ choices: two, dependence: { on, left: { '"uno"': ['dos'] } } });
  await add(field('alto', 'choice', { choices: two }));
  await add(field('lugar', 'group', { inner: field('ancho', 'choice', { choices: two }) }));
  await add(field('otro', 'group', { inner: field('largo', 'choice', { choices: two }) }));
  await add(field('corto', 'choice', { within: 'lugar', ...of('lugar.ancho') }));
  await add(field('medio', 'choice', { within: 'lugar', ...of('alto') }));
  await add(field('final', 'choices', { within: 'lugar', ...of('otro.largo') }));
  await add(field('fuera', 'choice', of('lugar.ancho')));
  const inside = (name: string, schema: object, required = false) => ({
    properties: { [name]: schema },
    ...(required && { required: [name] }),
  });
  const asked = (name: string) => inside(name, { const: 'uno' }, true);
  const said = { enum: ['dos'] };
  const own = await json(schema);
  expect(own['properties']?.['lugar']).toMatchObject({
    allOf: [{ if: asked('ancho'), then: inside('corto', said) }],
  });
  expect(own['allOf']).toEqual([
    { if: asked('alto'), then: inside('lugar', inside('medio', said)) },
    { if: inside('otro', asked('largo'), true), then: inside('lugar', inside('final', { items: said })) },
    { if: inside('lugar', asked('ancho'), true), then: inside('fuera', said) },
  ]);
  for (const [name, on] of [
    ['lugar.corto', 'lugar.ancho'],
    ['lugar.medio', 'alto'],
    ['lugar.final', 'otro.largo'],
    ['fuera', 'lugar.ancho'],
  ] as const)
    expect(findChoiceDependency(project.set, screen, name)).toEqual({ on, left: { '"uno"': ['dos'] } });
  const other = { on: { on: 'lugar.ancho', left: { '"dos"': ['uno'] } }, choices: ['uno', 'dos'], isSeveral: false };
  await project.write([
    {
      file: schema,
      base: project.set.files[schema]?.version ?? null,
      edits: createChoiceDependencyEdits(project.set, screen, 'lugar.medio', other),
    },
  ]);
  expect(findChoiceDependency(project.set, screen, 'lugar.medio')).toEqual(other.on);
  expect((await json(schema))['allOf']).toHaveLength(2);
  const order = { pointer: '/fields/lugar/ui:order', value: ['corto', '*'] };
  await project.write([{ file: ui, base: project.set.files[ui]?.version ?? null, edits: [order] }]);
  await removeField('lugar.corto');
  expect((await json(ui))['fields']?.['lugar']).toMatchObject({ 'ui:order': ['*'] });
  expect(findChoiceDependency(project.set, screen, 'lugar.medio'), 'the other condition is unchanged').toEqual(
    other.on,
  );
  await removeField('fuera');
  await removeField('lugar');
  expect(await project.text(schema), 'conditions on removed fields are removed').not.toMatch(/allOf|lugar/);
});
