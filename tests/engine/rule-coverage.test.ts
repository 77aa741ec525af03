import { expect, test } from 'vitest';
import { loadUncheckedDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { findUncoveredRules, type ScreenTestCase } from '../../src/engine/compiler/mutate/rule-coverage.ts';
import { sampleProject, writeProject, type Files } from './support/project.ts';

const right = { email: 'a@b', secret: 'a'.repeat(8), kind: 'a', terms: true };
const createCase = (data: object): ScreenTestCase => ({ data: { ...data }, context: { flags: {} } });

const findUncovered = (...cases: readonly ScreenTestCase[]) => findUncoveredIn(sampleProject, ...cases);

async function findUncoveredIn(files: Files, ...cases: readonly ScreenTestCase[]) {
  const project = await writeProject(files);
  const { set, screens } = await loadUncheckedDefinitions(project.options).finally(project.remove);
  const screen = screens.find(({ id }) => id === 'form');
  if (!screen) throw new Error('The small project has a form.');
  return findUncoveredRules(set, screen, cases);
}

test('[EST-04] findUncoveredRules names a rule that no case covers, and proposes the missing case', async () => {
  const { uncovered: found } = await findUncovered(createCase(right));
  expect(found.map(({ field, rule }) => `${field} ${rule}`)).toEqual(
    expect.arrayContaining([
      'email maxLength +1',
      'secret minLength -1',
      'kind enum "b"',
      'terms const',
      'email required',
    ]),
  );
  const limit = found.find(({ field, rule }) => field === 'secret' && rule === 'minLength -1');
  expect(limit?.proposal).toEqual({
    ...createCase({ ...right, secret: 'a'.repeat(7) }),
    errors: { secret: 'Mínimo 8' },
  });
});

test('[EST-04] findUncoveredRules does not name a rule that a case covers', async () => {
  const { uncovered: found, tried } = await findUncovered(
    createCase(right),
    createCase({ ...right, secret: 'a'.repeat(7) }),
    createCase({ ...right, kind: 'b' }),
    createCase({ ...right, terms: false }),
    createCase({ ...right, email: undefined }),
  );
  const names = found.map(({ field, rule }) => `${field} ${rule}`);
  for (const told of ['secret minLength -1', 'secret minLength +1', 'kind enum "b"', 'kind enum "a"', 'email required'])
    expect(names).not.toContain(told);
  expect(tried).toBeGreaterThan(found.length);
});

test('[EST-04] findUncoveredRules includes the fields that another field makes required', async () => {
  const path = 'schemas/form/schema.json';
  const schema = structuredClone(sampleProject[path]) as { required: readonly string[] };
  const files: Files = {
    ...sampleProject,
    [path]: { ...schema, required: ['email', 'terms'], dependentRequired: { secret: ['kind'] } },
  };
  const isRule = ({ field, rule }: { field: string; rule: string }) => field === 'kind' && rule === 'required';
  const { uncovered: found } = await findUncoveredIn(files, createCase(right));
  expect(found.find(isRule)?.proposal).toMatchObject({
    data: { secret: right.secret },
    errors: { kind: expect.any(String) as string },
  });
  const { uncovered: left } = await findUncoveredIn(
    files,
    createCase(right),
    createCase({ ...right, kind: undefined }),
  );
  expect(left.find(isRule)).toBeUndefined();
});

test('[EST-04 ENG-05] findUncoveredRules includes the rules inside an object of fields', async () => {
  const path = 'schemas/form/schema.json';
  const schema = structuredClone(sampleProject[path]) as { properties: Record<string, unknown> };
  const place = { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 9 } } };
  const group = { 'ui:title': 'Lugar', city: { 'ui:title': 'Ciudad' } };
  const withGroup = (file: string) => {
    const content = structuredClone(sampleProject[file]) as { fields: Record<string, unknown> };
    return { ...content, fields: { ...content.fields, place: group } };
  };
  const files: Files = {
    ...sampleProject,
    [path]: { ...schema, required: ['email', 'terms', 'place'], properties: { ...schema.properties, place } },
    'schemas/form/ui.json': withGroup('schemas/form/ui.json'),
    'schemas/form/ui.pt.json': withGroup('schemas/form/ui.pt.json'),
  };
  const inPlace = { ...right, place: { city: 'Salto' } };
  const { uncovered: found } = await findUncoveredIn(files, createCase(inPlace));
  const names = found.map(({ field, rule }) => `${field} ${rule}`);
  expect(names).toEqual(expect.arrayContaining(['place.city maxLength +1', 'place.city required', 'place required']));
  expect(found.find(({ rule, field }) => field === 'place.city' && rule === 'maxLength +1')?.proposal).toEqual({
    ...createCase({ ...right, place: { city: 'a'.repeat(10) } }),
    errors: { 'place.city': 'Máximo 9' },
  });
  const { uncovered: left } = await findUncoveredIn(
    files,
    createCase(inPlace),
    createCase({ ...right, place: { city: 'a'.repeat(10) } }),
  );
  expect(left.map(({ field, rule }) => `${field} ${rule}`)).not.toContain('place.city maxLength +1');
});

test('[EST-04 ENG-06] findUncoveredRules includes the rules of list items and the length of a list', async () => {
  const path = 'schemas/form/schema.json';
  const schema = structuredClone(sampleProject[path]) as { properties: Record<string, unknown> };
  const marks = { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 4 } };
  const person = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 9 }, marks } };
  const people = { type: 'array', maxItems: 2, items: person };
  const codes = { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 3 } };
  const rows = {
    type: 'array',
    maxItems: 3,
    items: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
  };
  const titled = (file: string) => {
    const content = structuredClone(sampleProject[file]) as { fields: Record<string, unknown>; visible?: object };
    const fields = {
      ...content.fields,
      people: {
        'ui:title': 'Personas',
        items: {
          'ui:title': 'Persona',
          name: { 'ui:title': 'Nombre' },
          marks: { 'ui:title': 'Marcas', items: { 'ui:title': 'Marca' } },
        },
      },
      codes: { 'ui:title': 'Códigos', items: { 'ui:title': 'Código' } },
      rows: { 'ui:title': 'Filas', items: { 'ui:title': 'Fila', items: { 'ui:title': 'Celda' } } },
    };
    const visible = { ...content.visible, 'people.items.marks': { '!=': [{ var: 'item.name' }, 'Eva'] } };
    return { ...content, fields, visible };
  };
  const files: Files = {
    ...sampleProject,
    [path]: { ...schema, properties: { ...schema.properties, people, codes, rows } },
    'schemas/form/ui.json': titled('schemas/form/ui.json'),
    'schemas/form/ui.pt.json': titled('schemas/form/ui.pt.json'),
  };
  const filled = { ...right, people: [{ name: 'Ana', marks: ['x'] }], codes: ['abc'], rows: [['a'], ['b']] };
  const { uncovered: found } = await findUncoveredIn(files, createCase(filled));
  const proposed = (name: string) => found.find(({ field, rule }) => `${field} ${rule}` === name)?.proposal;
  expect(proposed('people.items.name maxLength +1')).toMatchObject({
    data: { people: [{ name: 'a'.repeat(10), marks: ['x'] }] },
    errors: { 'people.0.name': 'Máximo 9' },
  });
  expect(proposed('people.items.name required')?.errors).toHaveProperty(['people.0.name']);
  expect(proposed('people maxItems +1')).toMatchObject({
    data: { people: Array(3).fill({ name: 'Ana', marks: ['x'] }) },
  });
  expect(proposed('codes.items maxLength +1')).toMatchObject({ data: { codes: ['aaaa'] } });
  expect(proposed('people.items.marks.items maxLength +1')).toMatchObject({
    data: { people: [{ name: 'Ana', marks: ['aaaaa'] }] },
    errors: { 'people.0.marks.0': 'Máximo 4' },
  });
  expect(proposed('people.items.marks maxItems +1')).toMatchObject({ data: { people: [{ marks: ['x', 'x', 'x'] }] } });
  expect(proposed('rows.items.items maxLength +1')).toMatchObject({ data: { rows: [['aaaaaa'], ['b']] } });
  expect(found.map(({ field, rule }) => `${field} ${rule}`)).toContain('people.items.marks visible');
  const told = [
    { ...filled, people: [{ name: 'a'.repeat(10) }] },
    { ...filled, people: [{}] },
  ];
  const { uncovered: left } = await findUncoveredIn(files, createCase(filled), ...told.map(createCase));
  const names = left.map(({ field, rule }) => `${field} ${rule}`);
  expect(names).not.toContain('people.items.name maxLength +1');
  expect(names).not.toContain('people.items.name required');
});
