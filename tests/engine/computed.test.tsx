// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import type { ListModel } from '../../src/engine/runtime/form/list-model.ts';
import type { ValuesByName } from '../../src/engine/core/json.ts';
import { draw } from '../definitions/support/draw.tsx';
import { countRenderedComponents } from './support/count-components.ts';
import { importScreen } from './support/loaded-screens.ts';
import { requiredValues, compileListForm, openListForm } from './support/list-form.ts';
import { sampleProject, loadProject, copyAsTranslation, type Files } from './support/project.ts';

afterEach(cleanup);

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const [schemaPath, uiPath, ptPath, flowPath] = [
  'schemas/form/schema.json',
  'schemas/form/ui.json',
  'schemas/form/ui.pt.json',
  'flows/main.json',
];
const v = (name: string) => ({ var: `form.${name}` });

/**
 * Order form with a price, a number of seats, a cost, a tax of ten percent, and a text. `total` is declared before its
 * input `cost`, so rules must not run in the order of the fields.
 */
const order = {
  type: 'object',
  required: ['places', 'price'],
  properties: {
    price: { type: 'number' },
    label: { type: 'string', enum: ['much', 'little'] },
    total: { type: 'number', maximum: 1000 },
    places: { type: 'integer', minimum: 1 },
    cost: { type: 'number' },
    reason: { type: 'string' },
  },
  computed: {
    total: { '+': [v('cost'), { '*': [v('cost'), 0.1] }] },
    label: { if: [{ '>': [v('total'), 100] }, 'much', { '>': [v('total'), 0] }, 'little', null] },
    cost: { '*': [v('price'), v('places')] },
  },
};
const titles = ['price', 'label', 'total', 'places', 'cost', 'reason'];
const orderUi = () => ({
  title: 'Pedido',
  fields: {
    ...Object.fromEntries(titles.map((name) => [name, { 'ui:title': `Campo ${name}` }])),
    label: { 'ui:title': 'Campo label', 'ui:enumNames': ['Mucho', 'Poco'] },
  } as Content,
  visible: { reason: { '>': [v('total'), 500] } } as Content,
  actions: [{ event: 'submit', text: 'Enviar', primary: true }],
});

type Change = Readonly<Partial<Record<'schema' | 'ui' | 'flow', (content: Content) => unknown>>>;

function form(change: Change = {}): Files {
  const all: Record<string, Content> = structuredClone({ ...sampleProject });
  all[schemaPath] = structuredClone(order);
  all[uiPath] = orderUi();
  all['schemas/_shared/messages.json'].maximum = 'Hasta {limit}'; // the catalogue has both languages
  all['schemas/done/ui.json'].title = 'Listo';
  all['schemas/done/ui.pt.json'].title = 'Pronto';
  delete all[flowPath].context;
  delete all[flowPath].states.done.requires;
  all[flowPath].states.form.on.submit = { src: 'save', onDone: [{ target: 'done' }], onError: [{ field: true }] };
  change.schema?.(all[schemaPath]);
  change.ui?.(all[uiPath]);
  all[ptPath] = copyAsTranslation(all[uiPath]);
  change.flow?.(all[flowPath]);
  return all;
}

async function loadForm(change?: Change) {
  const { definitions, problems } = await loadProject(form(change));
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

async function openForm(values: ValuesByName = {}, change?: Change) {
  const screen = await importScreen(await loadForm(change), 'form');
  const draft = screen.open(values, {});
  if (!draft) throw new Error('The form has fields.');
  return { screen, draft };
}

async function validateForm(values: ValuesByName, change?: Change) {
  return (await loadForm(change)).check('form', values, { language: 'es', context: {} });
}

const whole = { price: 20, places: 2, cost: 40, total: 44, label: 'little' };

describe('[ENG-07] computed field', () => {
  test.each([
    { note: 'its inputs', values: { price: 20, places: 2 }, data: whole },
    {
      note: 'its inputs, not from a sent value',
      values: { price: 20, places: 2, cost: 1, total: 2, label: 'much' },
      data: whole,
    },
    { note: 'its inputs, not from a sent object', values: { price: 20, places: 2, total: { a: 1 } }, data: whole },
    { note: 'decimal fractions', values: { price: 0.1, places: 3 }, data: { total: 0.33, cost: 0.3 } },
    { note: 'incomplete inputs', values: { price: 20, total: 9 }, data: { price: 20 } },
  ])('has the value that the server computes from $note', async ({ values, data }) => {
    const checked = await validateForm(values);
    expect(checked.data).toMatchObject(data);
    if (!('places' in values)) expect(checked).toEqual({ data, errors: { places: 'Falta' } });
  });

  test('has no value if an input has another type, which is reported at that input', async () => {
    const { data, errors } = await validateForm({ price: { toString: 1 }, places: 2 });
    expect(errors).toEqual({ price: 'Tipo' });
    expect(data).not.toHaveProperty('cost');
  });

  test('is validated by its own rules, with an error at itself, alike in browser and server', async () => {
    const values = { price: 500, places: 2, reason: 'x' };
    expect((await validateForm(values)).errors).toEqual({ total: 'Hasta 1000' });
    const { draft } = await openForm(values);
    expect(draft.submit()).toBeNull();
    expect(draft.refusedAtSubmit).toEqual(['total']);
  });

  test('follows each keystroke in the order of its dependencies, and sends the value that the server computes', async () => {
    const { draft } = await openForm({ price: 20, total: 7, cost: 7 });
    const value = (name: string) => draft.field(name)?.value;
    expect([value('cost'), value('total'), value('label')]).toEqual([undefined, undefined, undefined]);
    draft.field('places')?.set(2);
    expect([value('cost'), value('total'), value('label')]).toEqual([40, 44, 'little']);
    draft.field('price')?.set(200);
    expect([value('cost'), value('total'), value('label')]).toEqual([400, 440, 'much']);
    expect(draft.submit()?.data).toEqual((await validateForm({ price: 200, places: 2 })).data);
    draft.field('places')?.set(undefined);
    expect([value('cost'), value('total'), value('label')]).toEqual([undefined, undefined, undefined]);
  });

  test('ignores values that are prefilled, restored or set by a widget', async () => {
    const { draft } = await openForm({ ...whole, total: 1, cost: 1 });
    expect([draft.field('total')?.value, draft.field('cost')?.value]).toEqual([44, 40]);
    draft.field('total')?.set(5);
    draft.reset();
    expect(draft.field('total')?.value).toBe(44);
    expect(draft.submit()?.data).toEqual(whole);
  });

  test('has no stale value if two of its inputs change together', async () => {
    const change: Change = {
      schema: (schema) => {
        schema.properties = { all: { type: 'number' }, ...schema.properties, half: { type: 'number' } };
        schema.computed = {
          all: { '+': [v('price'), v('half'), v('cost')] },
          cost: { '*': [v('price'), 2] },
          half: { '/': [v('cost'), 4] },
        };
      },
      ui: (ui) => {
        Object.assign(ui.fields, { all: { 'ui:title': 'Todo' }, half: { 'ui:title': 'Mitad' } });
        delete ui.fields.label;
        delete ui.visible;
      },
    };
    const without: Change = {
      ...change,
      schema: (schema) => (change.schema?.(schema), delete schema.properties.label),
    };
    const { draft } = await openForm({ price: 10 }, without);
    expect(draft.field('all')?.value).toBe(35);
    draft.field('price')?.set(20);
    expect(draft.field('all')?.value).toBe(70);
    expect((await validateForm({ price: 20 }, without)).data).toMatchObject({ all: 70, half: 10, cost: 40 });
  });

  test('shows and hides other fields, and has no value for other rules while it is hidden', async () => {
    const change: Change = { ui: (ui) => (ui.visible.cost = { '!': { '==': [v('reason'), 'secreto'] } }) };
    const { draft } = await openForm({ price: 200, places: 3 });
    expect(draft.field('reason')?.visible).toBe(true);
    draft.field('places')?.set(1);
    expect(draft.field('reason')?.visible).toBe(false);
    expect((await validateForm({ price: 200, places: 1, reason: 'x' })).data).not.toHaveProperty('reason');
    expect((await validateForm({ price: 200, places: 3, reason: 'x' })).data).toHaveProperty('reason');

    const hiding: Change = {
      ui: (ui) => {
        delete ui.visible.reason;
        change.ui?.(ui);
      },
    };
    const hidden = await openForm({ price: 20, places: 2, reason: 'secreto' }, hiding);
    expect(['cost', 'total', 'label'].map((name) => hidden.draft.field(name)?.value)).toEqual([
      40,
      undefined,
      undefined,
    ]);
    expect(hidden.draft.submit()?.data).toEqual({ price: 20, places: 2, reason: 'secreto' });
    expect((await validateForm({ price: 20, places: 2, reason: 'secreto' }, hiding)).data).not.toHaveProperty('cost');
    hidden.draft.field('reason')?.set('x');
    expect(hidden.draft.field('total')?.value).toBe(44);
  });

  test('is computed again when one change shows it and one of its inputs', async () => {
    const change: Change = {
      ui: (ui) => {
        ui.visible = { cost: { '==': [v('reason'), 'x'] }, price: { '==': [v('reason'), 'x'] } };
      },
      schema: (schema) => {
        const { cost, price, ...rest } = schema.properties;
        schema.properties = { cost, price, ...rest }; // `cost` is before its inputs, so that it is compiled first
        schema.required = [];
        delete schema.computed.label;
      },
    };
    const { draft } = await openForm({ price: 20, places: 2 }, change);
    expect(draft.field('total')?.value).toBeUndefined();
    draft.field('reason')?.set('x');
    expect(['cost', 'total'].map((name) => draft.field(name)?.value)).toEqual([40, 44]);
  });

  test('is drawn as a labelled output, with its error after a blur of the field that caused it', async () => {
    const { screen, draft } = await openForm({ price: 20.5, places: 1 });
    await draw(screen, draft, {});
    const total = page.getByLabelText('Campo total');
    expect([total.tagName, total.textContent, total.getAttribute('for')]).toEqual(['OUTPUT', '22,55', 'field-cost']);
    expect([page.getByLabelText('Campo label').textContent, page.getByRole('status', { name: 'Campo total' })]).toEqual(
      ['Poco', total],
    );
    const places = page.getByLabelText('Campo places');
    act(() => void fireEvent.change(places, { target: { value: '50' } }));
    expect(total.textContent).toBe('1127,5');
    expect(page.queryByText('Hasta 1000')).toBeNull();
    act(() => void fireEvent.blur(places));
    act(() => void fireEvent.change(places, { target: { value: '60' } }));
    expect(page.queryByText('Hasta 1000'), 'no error about the previous value').toBeNull();
    act(() => void fireEvent.blur(places));
    const message = page.getByText('Hasta 1000');
    expect(total.getAttribute('aria-describedby')).toContain(message.id);
    act(() => void fireEvent.change(places, { target: { value: '' } }));
    expect([total.textContent, page.queryByText('Hasta 1000')]).toEqual(['', null]);
  });

  test('is rendered on a keystroke only together with its input and the fields computed from it', async () => {
    const { screen, draft } = await openForm({ price: 20, places: 1 });
    await draw(screen, draft, {});
    const reason = countRenderedComponents(() => act(() => draft.field('price')?.set(20)));
    const places = page.getByLabelText('Campo places');
    const key = (value: string) =>
      countRenderedComponents(() => act(() => void fireEvent.change(places, { target: { value } })));
    expect(reason, 'components rendered without a change').toBe(0);
    expect(key('2'), 'components rendered for the field and two of its three dependents').toBeLessThanOrEqual(8);
    act(() => draft.field('price')?.set(undefined));
    expect(key('3'), 'components rendered for a field without dependents').toBeLessThanOrEqual(4);
  });

  test('is computed from all items of a list, also when items are changed or removed', async () => {
    const sum = (title: string) => (ui: Content) => (ui.fields.sum = { 'ui:title': title });
    const change = {
      schema: (schema: Content) => {
        schema.properties.sum = { type: 'number' };
        const added = { '+': [{ var: 'accumulator' }, { var: 'current' }] };
        schema.computed = { sum: { reduce: [v('phones'), added, 0] } };
      },
      ui: sum('Suma'),
      pt: sum('Soma'),
    };
    const { draft } = await openListForm({ phones: ['1', '2'] }, change);
    expect(draft.field('sum')?.value).toBe(3);
    draft.field('phones.1')?.set('5');
    expect(draft.field('sum')?.value).toBe(6);
    const phones = draft.lists.get('phones') as ListModel; // the model exposes its lists as an interface, which `ListModel` implements
    phones.removeItem(0);
    expect(draft.field('sum')?.value).toBe(5);
    const checked = (await compileListForm(change)).check(
      'form',
      { ...requiredValues, phones: ['4', '5'], sum: 1 },
      { language: 'es', context: {} },
    );
    expect(checked.data).toMatchObject({ sum: 9 });
  });

  test('changes the version of the rules of its screen if its expression changes', async () => {
    const version = async (change?: Change) => (await loadForm(change)).screenVersion('form');
    expect(await version({ schema: (schema) => (schema.computed.cost = v('price')) })).not.toBe(await version());
  });
});

const inSchema = (change: (content: Content) => unknown): Change => ({ schema: change });
const inUi = (change: (content: Content) => unknown): Change => ({ ui: change });

test.each<readonly [note: string, change: Change, file: string, pointer: string, message: RegExp, hint: RegExp]>([
  [
    'a rule that reads itself',
    inSchema((c) => (c.computed.cost = v('cost'))),
    schemaPath,
    '/computed/cost',
    /in a circle: cost → cost\./,
    /remove one of them/,
  ],
  [
    'a rule that reads a field computed from it',
    inSchema((c) => (c.computed.cost = { '-': [v('label'), 1] })),
    schemaPath,
    '/computed/total',
    /in a circle: total → cost → label → total\./,
    /remove one of them/,
  ],
  [
    'a rule that reads a field whose visibility depends on it',
    inSchema((c) => (c.computed.cost = v('reason'))),
    schemaPath,
    '/computed/total',
    /in a circle: total → cost → reason → total\./,
    /remove one of them/,
  ],
  [
    'a rule that reads an unknown field',
    inSchema((c) => (c.computed.cost = v('prise'))),
    schemaPath,
    '/computed/cost',
    /"form.prise" does not exist/,
    /Did you mean "price"/,
  ],
  [
    'a rule that reads a context variable',
    inSchema((c) => (c.computed.cost = { var: 'context.email' })),
    schemaPath,
    '/computed/cost',
    /"context.email" does not exist/,
    /Known: none/,
  ],
  [
    'a rule with an unknown operator',
    inSchema((c) => (c.computed.cost = { times: [v('price'), 2] })),
    schemaPath,
    '/computed/cost',
    /Unknown operator "times"/,
    /JSON-logic/,
  ],
  [
    'a rule for an unknown field',
    inSchema((c) => (c.computed.totl = v('price'))),
    schemaPath,
    '/computed/totl',
    /no field "totl"/,
    /Did you mean "total"/,
  ],
  [
    'a rule for a field of an object',
    inSchema((c) => {
      c.properties.inner = { type: 'object', properties: { sum: { type: 'number' } } };
      c.computed['inner.sum'] = v('price');
    }),
    schemaPath,
    '/computed/inner.sum',
    /no field "inner\.sum" to compute beside the others/,
    /Known: price/,
  ],
  [
    'an entry in "required"',
    inSchema((c) => c.required.push('total')),
    schemaPath,
    '/required',
    /"total" is computed: people cannot fill it in/,
    /require the fields that it is computed from/,
  ],
  [
    'the keyword "writeOnly"',
    inSchema((c) => (c.properties.cost.writeOnly = true)),
    schemaPath,
    '/properties/cost/writeOnly',
    /it cannot be a secret/,
    /Remove "writeOnly"/,
  ],
  [
    'the type "boolean"',
    inSchema((c) => (c.properties.cost.type = 'boolean')),
    schemaPath,
    '/properties/cost/type',
    /type boolean cannot be computed/,
    /string, number, integer/,
  ],
  [
    'a widget',
    inUi((c) => (c.fields.cost['ui:widget'] = 'number')),
    uiPath,
    '/fields/cost/ui:widget',
    /"ui:widget" has no effect on a computed field/,
    /ui:title, ui:help/,
  ],
  [
    'a placeholder',
    inUi((c) => (c.fields.cost['ui:placeholder'] = '0')),
    uiPath,
    '/fields/cost/ui:placeholder',
    /"ui:placeholder" has no effect/,
    /A computed field accepts/,
  ],
  [
    'a prefill',
    { flow: (c) => (c.states.form.prefill = { total: 7 }) },
    flowPath,
    '/states/form/prefill/total',
    /"total" is computed: a prefilled value would be overwritten/,
    /prefill the fields that it is computed from/,
  ],
])(
  '[ENG-07] compiler rejects a computed field with %s, and says where and how to fix it',
  async (_, change, ...told) => {
    const [file, pointer, message, hint] = told;
    const { definitions, problems } = await loadProject(form(change));
    expect(definitions).toBeNull();
    const found = problems.find(
      (problem) => problem.file === file && problem.pointer === pointer && message.test(problem.message),
    );
    expect(found, JSON.stringify(problems)).toBeDefined();
    expect(found?.hint).toMatch(hint);
    expect(found?.line).toBeGreaterThan(1);
  },
);

test('[ENG-07] compiler accepts only facts that the server knows in a computed field that the server validates', async () => {
  const change = inSchema((c) => (c.computed.cost = { if: [{ var: 'user.number' }, v('price'), { var: 'flags.on' }] }));
  const { problems } = await loadProject(form(change), { validated: { screens: ['form'], facts: ['user'] } });
  expect(problems.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
    '/computed/cost The variable "flags.on" does not exist.',
  ]);
});
