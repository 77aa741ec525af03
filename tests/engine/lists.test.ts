import { describe, expect, test } from 'vitest';
import { importScreen } from './support/loaded-screens.ts';
import {
  validItem,
  requiredValues,
  compileListForm,
  createListForm,
  findList,
  openListForm,
  type Change,
} from './support/list-form.ts';
import { sampleProject, loadProject } from './support/project.ts';

const bob = { name: 'Bob', kind: 'other', which: 'Tío' };
const city = { city: 'Salto' };

describe('[ENG-06] a list', () => {
  test.each([
    { note: 'no items: it may stay empty', given: { kin: [] }, errors: {} },
    { note: 'fewer items than it asks for', given: { kin: [validItem] }, errors: { kin: 'Agregá al menos 2' } },
    {
      note: 'items that are fine',
      given: { kin: [validItem, { ...bob, place: city }], phones: ['1', '2'] },
      errors: {},
    },
    {
      note: 'wrong items: each is told at its field',
      given: { kin: [{ name: 'An', kind: 'son' }, {}, { ...bob, kind: 'x', place: { zone: 'Sur' } }] },
      errors: {
        'kin.0.name': 'Mínimo 3',
        'kin.1.name': 'Falta',
        'kin.1.kind': 'Falta',
        'kin.2.kind': 'Opción',
        'kin.2.place.city': 'Falta',
      },
    },
    {
      note: 'wrong values and none',
      given: { phones: ['12', 'x', ''] },
      errors: { 'phones.1': 'Forma', 'phones.2': 'Falta' },
    },
    { note: 'the same value twice', given: { phones: ['1', '1'] }, errors: { phones: 'Hay dos iguales' } },
    { note: 'too many', given: { phones: ['1', '2', '3', 'x'] }, errors: { phones: 'Hasta 3' } },
  ])('with $note; alike in browser and server', async ({ given, errors }) => {
    const definitions = await compileListForm();
    const values = { ...requiredValues, ...given };
    expect(definitions.check('form', values, { language: 'es', context: {} }).errors).toEqual(errors);
    const draft = (await importScreen(definitions, 'form')).open(values, {})!;
    expect(draft.ready).toBe(Object.keys(errors).length === 0);
    const sent = draft.submit();
    const own = Object.entries(errors);
    // If the number of items is wrong, the browser also reports errors inside the items.
    expect(draft.errors.filter(([name]) => Object.hasOwn(errors, name))).toEqual(own);
    expect(draft.refusedAtSubmit).toEqual(draft.errors.map(([name]) => name));
    expect(sent === null).toBe(own.length > 0);
  });

  test('is refused by the server with what no browser sends', async () => {
    const definitions = await compileListForm();
    const check = (given: object) =>
      definitions.check('form', { ...requiredValues, ...given }, { language: 'es', context: {} }).errors;
    expect(check({ kin: 'Ana' })).toEqual({ kin: 'Tipo' });
    expect(check({ kin: { 0: validItem, 1: validItem } })).toEqual({ kin: 'Tipo' });
    expect(check({ kin: [validItem, 'Bob'] })).toEqual({ 'kin.1': 'Tipo' });
    expect(check({ kin: [validItem, null] })).toEqual({ 'kin.1': 'Tipo' });
    expect(check({ kin: [validItem, { ...validItem, x: 1 }] })).toEqual({ 'kin.1.x': 'Sobra' });
    expect(check({ kin: [validItem, JSON.parse('{"name":"Ana","kind":"son","__proto__":{"x":1}}')] })).toEqual({
      'kin.1.__proto__': 'Sobra',
    });
    expect(check({ phones: [{ a: 1 }] })).toEqual({ 'phones.0': 'Tipo' });
    expect(check({ 'kin.0.name': 'Ana' })).toEqual({ 'kin.0.name': 'Sobra' });
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('shows a field of an item by the values of that item; what is hidden is not sent, by browser or server', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    expect([draft.field('kin.0.which')?.visible, draft.field('kin.1.which')?.visible]).toEqual([false, true]);
    draft.field('kin.1.kind')?.set('son');
    expect(draft.field('kin.1.which')?.visible).toBe(false);
    expect(draft.submit()?.data).toMatchObject({ kin: [validItem, { name: 'Bob', kind: 'son' }] });
    const definitions = await compileListForm();
    const sent = { ...requiredValues, kin: [{ ...validItem, which: 'x' }, bob] };
    expect(definitions.check('form', sent, { language: 'es', context: {} }).data).toEqual({
      ...requiredValues,
      kin: [validItem, bob],
    });
  });

  test('may be read by a rule of another field', async () => {
    const change: Change = { ui: (ui) => (ui.visible.extra = { var: 'form.phones.1' }) };
    const { draft } = await openListForm({ phones: ['1'] }, change);
    expect(draft.field('extra')?.visible).toBe(false);
    findList(draft, 'phones')?.add();
    draft.field('phones.1')?.set('2');
    expect(draft.field('extra')?.visible).toBe(true);
  });

  test('grows, shrinks, comes back and changes its order, and what was typed stays at its item', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    const list = findList(draft, 'kin')!;
    const names = () => list.items.map(({ form: { values } }) => values.name);
    const keys = list.items.map(({ key }) => key);
    draft.field('kin.0.name')?.set('x');
    draft.submit();
    expect(draft.errors).toEqual([['kin.0.name', 'Mínimo 3']]);
    list.move(0, 1);
    expect([names(), list.items.map(({ key }) => key)]).toEqual([['Bob', 'x'], keys.toReversed()]);
    expect(draft.errors).toEqual([['kin.1.name', 'Mínimo 3']]);
    list.add();
    draft.field('kin.2.name')?.set('Eva');
    list.remove(1);
    expect([names(), draft.errors, list.restorable]).toEqual([['Bob', 'Eva'], [], true]);
    expect(list.restore()).toBe(1);
    expect([names(), draft.errors, list.restorable]).toEqual([
      ['Bob', 'x', 'Eva'],
      [['kin.1.name', 'Mínimo 3']],
      false,
    ]);
    expect(draft.values.kin).toEqual([bob, { ...validItem, name: 'x' }, { name: 'Eva' }]);
    list.move(0, 3);
    expect(names(), 'no place behind the last').toEqual(['Bob', 'x', 'Eva']);
  });

  test('takes no more items than it may, and none comes back then', async () => {
    const { draft } = await openListForm({ phones: ['1', '2', '3'] });
    const list = findList(draft, 'phones')!;
    list.add();
    expect([list.items.length, list.addable]).toEqual([3, false]);
    list.remove(0);
    list.add();
    expect([list.restorable, list.restore()]).toEqual([false, -1]);
  });

  test('[ENG-06] an item that is one value adds others behind the last, as many as there is room for', async () => {
    const { draft } = await openListForm({ kin: [validItem, validItem], phones: ['1'] });
    const list = findList(draft, 'phones')!;
    const [{ form: first } = { form: draft }] = list.items;
    expect(first.append?.(['2', '3', '4', '5'])).toBe(2);
    expect(draft.values.phones).toEqual(['1', '2', '3']);
    expect(first.append?.(['4'])).toBe(1);
    expect(list.items.map(({ form }) => form.values)).toEqual([{ '': '1' }, { '': '2' }, { '': '3' }]);
    expect([draft.append, findList(draft, 'kin')!.items[0]?.form.append]).toEqual([undefined, undefined]);
  });

  test('an item that went can come back after another one was added', async () => {
    const { draft } = await openListForm({ phones: ['1', '2'] });
    const list = findList(draft, 'phones')!;
    list.remove(0);
    list.add();
    expect(list.restorable).toBe(true);
    expect(list.restore()).toBe(0);
    expect(list.items).toHaveLength(3);
    expect(draft.field('phones.0')?.value).toBe('1');
  });

  test('takes the message of the server for a field of an item, which goes when that is changed', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob], phones: ['1'] });
    draft.refuse({ 'kin.1.name': 'No figura.', 'phones.0': 'No existe.', 'kin.7.name': 'Otro.' }, null);
    expect(draft.refusedAtSubmit).toEqual(['kin.1.name', 'phones.0']);
    expect(draft.errors).toEqual([
      ['kin.1.name', 'No figura.'],
      ['phones.0', 'No existe.'],
    ]);
    expect([draft.formError, draft.ready]).toEqual(['Otro.', false]);
    expect([draft.findFieldLabel('kin.1.name'), draft.findFieldLabel('phones.0')]).toEqual([
      'Familiar 2, Nombre',
      'Teléfono 1',
    ]);
    draft.field('kin.1.name')?.set('Beto');
    draft.field('phones.0')?.set('2');
    expect([draft.errors, draft.ready]).toEqual([[], true]);
  });

  test('goes back to what it was opened with, and takes what a flow stores in it', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    findList(draft, 'kin')?.remove(0);
    draft.field('kin.0.name')?.set('');
    draft.submit();
    draft.reset();
    expect([draft.values.kin, draft.errors]).toEqual([[validItem, bob], []]);
    draft.field('kin')?.set(undefined);
    expect([draft.values.kin, findList(draft, 'kin')?.items]).toEqual([undefined, []]);
  });

  test('has a field prepared before a submit in each item', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    draft.field('kin.1.name')?.beforeSubmit(() => Promise.resolve({ refused: 'Falta tu llave' }));
    expect(await draft.submitPrepared()).toBeNull();
    expect(draft.errors).toEqual([['kin.1.name', 'Falta tu llave']]);
  });

  test('words of lists stand on screens with a list alone', async () => {
    const texts = await compileListForm();
    const { definitions } = await loadProject({
      ...createListForm(),
      'schemas/form/schema.json': sampleProject['schemas/form/schema.json'],
      'schemas/form/ui.json': sampleProject['schemas/form/ui.json'],
      'schemas/form/ui.pt.json': sampleProject['schemas/form/ui.pt.json'],
    });
    const ofLists = (source = '') => source.includes('list.add') || source.includes('minItems.list');
    const sourceOf = (set = definitions) => set?.modules.find(({ url }) => url.includes('/form.es.'))?.source;
    expect([ofLists(sourceOf(texts)), ofLists(sourceOf())]).toEqual([true, false]);
  });

  test.each<[note: string, change: Change, pointer: string, message: RegExp]>([
    [
      'no end',
      { schema: ({ properties }) => delete properties.kin.maxItems },
      '/properties/kin',
      /has no maximum length/,
    ],
    [
      'an end too far',
      { schema: ({ properties }) => (properties.kin.maxItems = 1000) },
      '/properties/kin/maxItems',
      /has no maximum length/,
    ],
    [
      'items that may be empty',
      { schema: ({ properties }) => delete properties.kin.items.required },
      '/properties/kin/items',
      /may be empty/,
    ],
    [
      'a secret',
      { schema: ({ properties }) => (properties.kin.items.properties.name.writeOnly = true) },
      '/properties/kin/items/properties/name/writeOnly',
      /secret/,
    ],
    [
      'a list in a list of it',
      {
        schema: ({ properties }) =>
          (properties.kin.items.properties.which = { ...properties.phones, items: properties.phones }),
      },
      '/properties/kin/items/properties/which/items',
      /A list inside a list of another list/,
    ],
    [
      'boxes for items',
      { schema: ({ properties }) => (properties.phones.items = { type: 'boolean' }) },
      '/properties/phones/items/type',
      /Items are/,
    ],
    [
      'an unknown rule in an item',
      { schema: ({ properties }) => (properties.kin.items.properties.name.minLenght = 1) },
      '/properties/kin/items/properties/name/minLenght',
      /Unknown keyword/,
    ],
    [
      'a rule that names a field outside of its item',
      { schema: ({ properties }) => (properties.kin.items.properties.which.matches = 'email') },
      '/properties/kin/items/properties/which/matches',
      /names the field "email"/,
    ],
    [
      'a limit that none can keep',
      { schema: ({ properties }) => (properties.kin.minItems = 70) },
      '/properties/kin/minItems',
      /No value satisfies both/,
    ],
  ])('with %s is refused with its place', async (_, change, pointer, message) => {
    const { problems } = await loadProject(createListForm(change));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });

  test.each<[note: string, change: NonNullable<Change['ui']>, pointer: string, message: RegExp]>([
    ['no title', (ui) => delete ui.fields.kin['ui:title'], '/fields/kin', /no "ui:title"/],
    ['no title of its items', (ui) => delete ui.fields.kin.items['ui:title'], '/fields/kin/items', /no "ui:title"/],
    ['no title of a value', (ui) => delete ui.fields.phones.items, '/fields/phones/items', /no "ui:title"/],
    ['a widget', (ui) => (ui.fields.kin['ui:widget'] = 'text'), '/fields/kin/ui:widget', /has no effect on a list/],
    [
      'a misspelt option',
      (ui) => (ui.fields.kin['ui:options'] = { remove: false }),
      '/fields/kin/ui:options/remove',
      /The option "remove" of a list/,
    ],
    [
      'a field that an item does not have',
      (ui) => (ui.fields.kin.items.nme = { 'ui:title': 'x' }),
      '/fields/kin/items/nme',
      /no field "nme"/,
    ],
    [
      'a rule of an item over the form',
      (ui) => (ui.visible['kin.items.which'] = { var: 'form.email' }),
      '/visible/kin.items.which',
      /"form.email" does not exist/,
    ],
    [
      'a rule of the form over an item',
      (ui) => (ui.visible.extra = { var: 'item.kind' }),
      '/visible/extra',
      /"item.kind" does not exist/,
    ],
    [
      'a rule for an item itself',
      (ui) => (ui.visible['kin.items'] = { var: 'item.kind' }),
      '/visible/kin.items',
      /no field "kin.items"/,
    ],
  ])('of which the ui has %s is refused with its place', async (_, change, pointer, message) => {
    const { problems } = await loadProject(createListForm({ ui: change }));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });

  test('without a word for what it says is refused', async () => {
    const files = createListForm() as Record<string, Record<string, string>>;
    delete files['schemas/_shared/messages.json']?.['list.undo'];
    const { problems } = await loadProject(files);
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('"list.undo" has no message'),
    );
  });
});
