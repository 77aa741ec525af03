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

describe('[ENG-06] list field', () => {
  test.each([
    { note: 'no items', given: { kin: [] }, errors: {} },
    { note: 'too few items', given: { kin: [validItem] }, errors: { kin: 'Agregá al menos 2' } },
    {
      note: 'valid items',
      given: { kin: [validItem, { ...bob, place: city }], phones: ['1', '2'] },
      errors: {},
    },
    {
      note: 'invalid items',
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
      note: 'invalid and empty values',
      given: { phones: ['12', 'x', ''] },
      errors: { 'phones.1': 'Forma', 'phones.2': 'Falta' },
    },
    { note: 'a duplicate value', given: { phones: ['1', '1'] }, errors: { phones: 'Hay dos iguales' } },
    { note: 'too many values', given: { phones: ['1', '2', '3', 'x'] }, errors: { phones: 'Hasta 3' } },
  ])('is validated alike in browser and server, with $note', async ({ given, errors }) => {
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

  test('rejects on the server values that no browser sends', async () => {
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

  test('shows a field of an item by the values of that item, and sends no hidden value', async () => {
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

  test('can be read by a rule of another field', async () => {
    const change: Change = { ui: (ui) => (ui.visible.extra = { var: 'form.phones.1' }) };
    const { draft } = await openListForm({ phones: ['1'] }, change);
    expect(draft.field('extra')?.visible).toBe(false);
    findList(draft, 'phones')?.addItem();
    draft.field('phones.1')?.set('2');
    expect(draft.field('extra')?.visible).toBe(true);
  });

  test('keeps values and errors with their items when items are added, removed, restored and moved', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    const list = findList(draft, 'kin')!;
    const names = () => list.items.map(({ form: { values } }) => values.name);
    const keys = list.items.map(({ key }) => key);
    draft.field('kin.0.name')?.set('x');
    draft.submit();
    expect(draft.errors).toEqual([['kin.0.name', 'Mínimo 3']]);
    list.moveItem(0, 1);
    expect([names(), list.items.map(({ key }) => key)]).toEqual([['Bob', 'x'], keys.toReversed()]);
    expect(draft.errors).toEqual([['kin.1.name', 'Mínimo 3']]);
    list.addItem();
    draft.field('kin.2.name')?.set('Eva');
    list.removeItem(1);
    expect([names(), draft.errors, list.canRestoreItem]).toEqual([['Bob', 'Eva'], [], true]);
    expect(list.restoreItem()).toBe(1);
    expect([names(), draft.errors, list.canRestoreItem]).toEqual([
      ['Bob', 'x', 'Eva'],
      [['kin.1.name', 'Mínimo 3']],
      false,
    ]);
    expect(draft.values.kin).toEqual([bob, { ...validItem, name: 'x' }, { name: 'Eva' }]);
    list.moveItem(0, 3);
    expect(names(), 'no more items than maxItems').toEqual(['Bob', 'x', 'Eva']);
  });

  test('accepts no more items than maxItems, also for a restored item', async () => {
    const { draft } = await openListForm({ phones: ['1', '2', '3'] });
    const list = findList(draft, 'phones')!;
    list.addItem();
    expect([list.items.length, list.canAddItem]).toEqual([3, false]);
    list.removeItem(0);
    list.addItem();
    expect([list.canRestoreItem, list.restoreItem()]).toEqual([false, -1]);
  });

  test('[ENG-06] appends several values after an item, up to maxItems', async () => {
    const { draft } = await openListForm({ kin: [validItem, validItem], phones: ['1'] });
    const list = findList(draft, 'phones')!;
    const [{ form: first } = { form: draft }] = list.items;
    expect(first.append?.(['2', '3', '4', '5'])).toBe(2);
    expect(draft.values.phones).toEqual(['1', '2', '3']);
    expect(first.append?.(['4'])).toBe(1);
    expect(list.items.map(({ form }) => form.values)).toEqual([{ '': '1' }, { '': '2' }, { '': '3' }]);
    expect([draft.append, findList(draft, 'kin')!.items[0]?.form.append]).toEqual([undefined, undefined]);
  });

  test('restores a removed item after another one was added', async () => {
    const { draft } = await openListForm({ phones: ['1', '2'] });
    const list = findList(draft, 'phones')!;
    list.removeItem(0);
    list.addItem();
    expect(list.canRestoreItem).toBe(true);
    expect(list.restoreItem()).toBe(0);
    expect(list.items).toHaveLength(3);
    expect(draft.field('phones.0')?.value).toBe('1');
  });

  test('shows server errors at the fields of items until these change', async () => {
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

  test('resets to its initial items, and can be set by a flow', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    findList(draft, 'kin')?.removeItem(0);
    draft.field('kin.0.name')?.set('');
    draft.submit();
    draft.reset();
    expect([draft.values.kin, draft.errors]).toEqual([[validItem, bob], []]);
    draft.field('kin')?.set(undefined);
    expect([draft.values.kin, findList(draft, 'kin')?.items]).toEqual([undefined, []]);
  });

  test('runs beforeSubmit of a field in each item', async () => {
    const { draft } = await openListForm({ kin: [validItem, bob] });
    draft.field('kin.1.name')?.beforeSubmit(() => Promise.resolve({ refused: 'Falta tu llave' }));
    expect(await draft.submitPrepared()).toBeNull();
    expect(draft.errors).toEqual([['kin.1.name', 'Falta tu llave']]);
  });

  test('adds the texts of lists only to screens with a list', async () => {
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
      'no maxItems',
      { schema: ({ properties }) => delete properties.kin.maxItems },
      '/properties/kin',
      /has no maximum length/,
    ],
    [
      'a maxItems that is too large',
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
      'a third level of lists',
      {
        schema: ({ properties }) =>
          (properties.kin.items.properties.which = { ...properties.phones, items: properties.phones }),
      },
      '/properties/kin/items/properties/which/items',
      /A list inside a list of another list/,
    ],
    [
      'boolean items',
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
      'minItems above maxItems',
      { schema: ({ properties }) => (properties.kin.minItems = 70) },
      '/properties/kin/minItems',
      /No value satisfies both/,
    ],
  ])('reports a mistake of its schema with its position: %s', async (_, change, pointer, message) => {
    const { problems } = await loadProject(createListForm(change));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });

  test.each<[note: string, change: NonNullable<Change['ui']>, pointer: string, message: RegExp]>([
    ['no title', (ui) => delete ui.fields.kin['ui:title'], '/fields/kin', /no "ui:title"/],
    ['no title of its items', (ui) => delete ui.fields.kin.items['ui:title'], '/fields/kin/items', /no "ui:title"/],
    ['no title of the values', (ui) => delete ui.fields.phones.items, '/fields/phones/items', /no "ui:title"/],
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
      'a rule of an item that reads the form',
      (ui) => (ui.visible['kin.items.which'] = { var: 'form.email' }),
      '/visible/kin.items.which',
      /"form.email" does not exist/,
    ],
    [
      'a rule of the form that reads an item',
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
  ])('reports a mistake of its UI schema with its position: %s', async (_, change, pointer, message) => {
    const { problems } = await loadProject(createListForm({ ui: change }));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      pointer,
      expect.stringMatching(message),
    ]);
  });

  test('[ANA-02] reports labels of an item that are beside "items" once', async () => {
    const files = createListForm({
      ui: ({ fields: { kin } }) => {
        const { name, 'ui:title': _, ...others } = kin.items;
        Object.assign(kin, { items: others, name });
      },
    });
    const { problems } = await loadProject(files);
    expect(problems.filter(({ pointer }) => pointer.startsWith('/fields/kin')).map(({ hint }) => hint)).toEqual([
      expect.stringContaining('Write it within "items": "items": { "ui:title": …, "name": … }.'),
    ]);
  });

  test('reports a missing text of its buttons', async () => {
    const files = createListForm() as Record<string, Record<string, string>>;
    delete files['schemas/_shared/messages.json']?.['list.undo'];
    const { problems } = await loadProject(files);
    expect(problems.map(({ message }) => message)).toContainEqual(
      expect.stringContaining('"list.undo" has no message'),
    );
  });
});
