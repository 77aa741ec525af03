// @vitest-environment happy-dom
import './support/count-components.ts';
import { act, cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { draw } from '../definitions/support/draw.tsx';
import { countRenderedComponents } from './support/count-components.ts';
import { importScreen } from './support/loaded-screens.ts';
import { sampleProject, loadProject, type Files } from './support/project.ts';

afterEach(cleanup);

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
type Content = any;

const [schemaPath, uiPath, ptPath, flowPath, personPath] = [
  'schemas/form/schema.json',
  'schemas/form/ui.json',
  'schemas/form/ui.pt.json',
  'flows/main.json',
  'schemas/_shared/person.json',
];

/** Schema of a postal address with a required street and an optional object `place`. */
const address = {
  type: 'object',
  required: ['street', 'door'],
  properties: {
    street: { type: 'string', minLength: 3 },
    door: { type: 'string', pattern: '^[0-9]+$' },
    flat: { type: 'string' },
    place: {
      type: 'object',
      required: ['city', 'code'],
      properties: { city: { type: 'string' }, code: { type: 'string', maxLength: 5 } },
    },
  },
};
const addressUi = (language: string) => ({
  'ui:title': `Domicilio ${language}`,
  'ui:help': `Donde vivís ${language}`,
  street: { 'ui:title': `Calle ${language}` },
  door: { 'ui:title': `Puerta ${language}` },
  flat: { 'ui:title': `Apartamento ${language}` },
  place: {
    'ui:title': `Lugar ${language}`,
    city: { 'ui:title': `Ciudad ${language}` },
    code: { 'ui:title': `Código ${language}` },
  },
});

type Change = Readonly<Partial<Record<'schema' | 'ui' | 'pt' | 'flow', (content: Content) => unknown>>>;

/** The sample form with a postal address after its e-mail, and with changed files. */
function form(change: Change = {}): Files {
  const all: Record<string, unknown> = structuredClone({ ...sampleProject });
  const [schema, ui, pt] = [all[schemaPath], all[uiPath], all[ptPath]] as Content[];
  const { email, ...rest } = schema.properties;
  schema.properties = { email, address: structuredClone(address), ...rest };
  ui.fields.address = addressUi('es');
  pt.fields.address = addressUi('pt');
  change.schema?.(schema);
  change.ui?.(ui);
  change.pt?.(pt);
  change.flow?.(all[flowPath]);
  return all;
}

async function loadForm(change?: Change) {
  const { definitions, problems } = await loadProject(form(change));
  if (!definitions) throw new Error(JSON.stringify(problems));
  return definitions;
}

async function open(values: Readonly<Record<string, unknown>> = {}, change?: Change) {
  const screen = await importScreen(await loadForm(change), 'form');
  const draft = screen.open(values, {});
  if (!draft) throw new Error('The form has fields.');
  await draw(screen, draft, {});
  return draft;
}

const basics = { email: 'a@b.uy', terms: true };
const lived = { street: 'Colonia', door: '12' };

describe('[ENG-05] object of fields', () => {
  test('is drawn as nested groups with title and hint, and each field has its label', async () => {
    await open();
    const group = page.getByRole('group', { name: /^Domicilio es/ });
    const inner = page.getByRole('group', { name: /^Lugar es/ });
    expect(group.contains(inner)).toBe(true);
    expect(document.getElementById(group.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Donde vivís es');
    expect([...document.querySelectorAll('[data-field]')].map((field) => field.getAttribute('data-field'))).toEqual([
      'email',
      'repeat',
      'address.street',
      'address.door',
      'address.flat',
      'address.place.city',
      'address.place.code',
      'secret',
      'kind',
      'terms',
    ]);
    expect(page.getByLabelText('Ciudad es').id).toBe('field-address-place-city');
    expect(inner.contains(page.getByLabelText('Ciudad es'))).toBe(true);
  });

  test('marks itself as optional in its title, and its optional fields beside required ones', async () => {
    await open();
    const optional = [...document.querySelectorAll('.form-optional')].map((mark) => mark.parentElement?.textContent);
    const within = optional.filter((text) => /Domicilio|Lugar|Calle|Puerta|Apartamento|Ciudad/.test(text ?? ''));
    expect(within.map((text) => text?.split(' ')[0])).toEqual(['Domicilio', 'Apartamento', 'Lugar']);
  });

  test.each([
    { note: 'no values', address: undefined, errors: {} },
    {
      note: 'one optional value only',
      address: { flat: '3' },
      errors: { 'address.street': 'Falta', 'address.door': 'Falta' },
    },
    {
      note: 'one value of the inner object only',
      address: { place: { city: 'Salto' } },
      errors: { 'address.street': 'Falta', 'address.door': 'Falta', 'address.place.code': 'Falta' },
    },
    { note: 'all values', address: { ...lived, place: { city: 'Salto', code: '50000' } }, errors: {} },
    {
      note: 'invalid values',
      address: { street: 'Co', door: 'x', place: { city: 'Salto', code: '500000' } },
      errors: { 'address.street': 'Mínimo 3', 'address.door': 'Forma', 'address.place.code': 'Máximo 5' },
    },
  ])('is validated alike in browser and server with $note', async ({ address: given, errors }) => {
    const definitions = await loadForm();
    const values = { ...basics, ...(given === undefined ? {} : { address: given }) };
    const checked = definitions.check('form', values, { language: 'es', context: {} });
    expect(checked.errors).toEqual(errors);
    const draft = (await importScreen(definitions, 'form')).open(values, {});
    const sent = draft?.submit();
    expect(draft?.refusedAtSubmit).toEqual(Object.keys(errors));
    expect([...(draft?.fields.values() ?? [])].flatMap(({ name, error }) => (error ? [[name, error]] : []))).toEqual(
      Object.entries(errors),
    );
    if (Object.keys(errors).length === 0) expect([sent?.data, checked.data]).toEqual([values, values]);
  });

  test('reports the required fields of a required object although nothing was entered', async () => {
    const definitions = await loadForm({
      schema: (schema) => {
        schema.required.push('address');
        schema.properties.address.required.push('place');
      },
    });
    expect(definitions.check('form', basics, { language: 'es', context: {} }).errors).toEqual({
      'address.street': 'Falta',
      'address.door': 'Falta',
      'address.place.city': 'Falta',
      'address.place.code': 'Falta',
    });
  });

  test.each([
    ['an unknown field', { address: { ...lived, x: 1 } }, 'address.x'],
    ['one of its fields as a flat name', { 'address.street': 'Colonia' }, 'address.street'],
    ['an inner object as a flat name', { address: lived, 'address.place': { city: 'a', code: 'b' } }, 'address.place'],
    ['a text instead of the object', { address: 'Colonia 12' }, 'address'],
    ['a list instead of the object', { address: [lived] }, 'address'],
    ['an object instead of a field', { address: { ...lived, street: { a: 'b' } } }, 'address.street'],
    [
      'the key __proto__',
      { address: JSON.parse('{"street":"Colonia","door":"1","__proto__":{"x":1}}') as object },
      'address.__proto__',
    ],
    ['the key constructor', { address: { ...lived, constructor: { name: 'x' } } }, 'address.constructor'],
  ])('is rejected by the server with %s', async (_, values, name) => {
    const definitions = await loadForm();
    const { errors } = definitions.check('form', { ...basics, ...values }, { language: 'es', context: {} });
    expect(Object.keys(errors)).toContain(name);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  test('is shown and hidden by its rule and those of its fields, and hidden fields are neither required nor sent', async () => {
    const change: Change = {
      ui: (ui) =>
        (ui.visible = {
          ...ui.visible,
          address: { '==': [{ var: 'form.kind' }, 'a'] },
          'address.flat': { '==': [{ var: 'form.address.street' }, 'Torre'] },
          secret: { var: 'form.address.place.city' },
        }),
    };
    const draft = await open({ ...basics }, change);
    const groups = () =>
      page.queryAllByRole('group').map((group) => group.querySelector('legend')?.textContent?.split(' ')[0]);
    expect(groups()).toEqual([]);
    act(() => draft.field('kind')?.set('a'));
    expect(groups()).toEqual(['Domicilio', 'Lugar']);
    expect([page.queryByLabelText(/Apartamento/), page.queryByLabelText('Clave')]).toEqual([null, null]);
    act(() => draft.field('address.street')?.set('Torre'));
    act(() => draft.field('address.place.city')?.set('Salto'));
    expect(page.getByLabelText(/Apartamento/)).toBeTruthy();
    expect(draft.field('secret')?.visible).toBe(true);
    act(() => draft.field('kind')?.set('b'));
    expect(groups()).toEqual([]);
    expect(draft.field('secret')?.visible).toBe(false);
    act(() => draft.field('extra')?.set('x'));
    expect(draft.submit()?.data).toEqual({ ...basics, kind: 'b', extra: 'x' });
    const definitions = await loadForm(change);
    const hidden = { ...basics, kind: 'b', extra: 'x', address: { street: '?' } };
    expect(definitions.check('form', hidden, { language: 'es', context: {} })).toEqual({
      data: { ...basics, kind: 'b', extra: 'x' },
      errors: {},
    });
  });

  test('shows a server error at its field, linked from the error summary', async () => {
    const draft = await open({ ...basics, address: lived });
    act(() => draft.refuse({ 'address.door': 'Esa puerta no existe.' }, null));
    const link = page.getByRole('link', { name: 'Puerta es: Esa puerta no existe.' });
    expect(link.getAttribute('href')).toBe('#field-address-door');
    const control = page.getByLabelText('Puerta es');
    expect(control.getAttribute('aria-invalid')).toBe('true');
    fireEvent.click(link);
    expect(document.activeElement).toBe(control);
  });

  test('resets its fields, and has no value once all of them are empty', async () => {
    const draft = await open({ ...basics, address: lived });
    act(() => draft.field('address.flat')?.set('4'));
    expect(draft.values.address).toEqual({ ...lived, flat: '4' });
    act(() => draft.reset());
    expect(draft.values.address).toEqual(lived);
    for (const name of ['address.street', 'address.door']) act(() => draft.field(name)?.set(''));
    expect(draft.values).not.toHaveProperty('address');
  });

  test('renders on a keystroke as many components as a field outside', async () => {
    const draft = await open({ ...basics, address: { ...lived, place: { city: 'Salto', code: '5' } } });
    const key = (name: string, value: string) =>
      countRenderedComponents(() => act(() => draft.field(name)?.set(value)));
    expect(key('address.place.code', '50')).toBe(key('email', 'c@d.uy'));
    expect(key('address.place.code', '500')).toBeGreaterThan(0);
  });

  test('is drawn in its section and in the order of its UI schema', async () => {
    await open(
      {},
      {
        ui: (ui) => {
          ui.fields.address['ui:order'] = ['place', '*'];
          ui.sections = [{ title: 'Vos', fields: ['address', 'email'] }];
        },
        pt: (ui) => (ui.sections = ['Você']),
      },
    );
    const names = [...page.getByRole('group', { name: 'Vos' }).querySelectorAll('[data-field]')];
    expect(names.map((field) => field.getAttribute('data-field'))).toEqual([
      'address.place.city',
      'address.place.code',
      'address.street',
      'address.door',
      'address.flat',
      'email',
    ]);
  });

  test('can be a shared definition with its texts and those of its fields', async () => {
    const { $defs } = (sampleProject as Content)[personPath];
    const files: Files = {
      ...form({
        schema: (schema) => (schema.properties.address = { $ref: '../_shared/person.json#/$defs/address' }),
        ui: (ui) => (ui.fields.address = { street: { 'ui:title': 'Calle o camino' } }),
        pt: (ui) => (ui.fields.address = { street: { 'ui:title': 'Rua ou caminho' } }),
      }),
      [personPath]: {
        $defs: {
          ...$defs,
          code: { type: 'string', maxLength: 5, ui: { 'ui:title': 'Código' }, messages: { maxLength: 'Cinco cifras' } },
          address: {
            type: 'object',
            required: ['street'],
            properties: { street: { type: 'string' }, code: { $ref: '#/$defs/code' } },
            ui: { 'ui:title': 'Domicilio', street: { 'ui:title': 'Calle' } },
          },
        },
      },
      'schemas/_shared/person.pt.json': {
        $defs: {
          code: { ui: { 'ui:title': 'CEP' }, messages: { maxLength: 'Cinco dígitos' } },
          address: { ui: { 'ui:title': 'Endereço', street: { 'ui:title': 'Rua' } } },
        },
      },
    };
    const { definitions, problems } = await loadProject(files);
    expect(problems).toEqual([]);
    expect(definitions?.ui('form', 'es').fields?.address).toEqual({
      'ui:title': 'Domicilio',
      street: { 'ui:title': 'Calle o camino' },
      code: { 'ui:title': 'Código' },
    });
    expect(definitions?.ui('form', 'pt').fields?.address).toMatchObject({ code: { 'ui:title': 'CEP' } });
    const values = { ...basics, address: { street: 'x', code: '123456' } };
    expect(definitions?.check('form', values, { language: 'es', context: {} }).errors).toEqual({
      'address.code': 'Cinco cifras',
    });
  });

  test.each<[note: string, change: Change, pointer: string, message: RegExp]>([
    [
      'no title',
      { ui: (ui) => delete ui.fields.address['ui:title'], pt: (ui) => delete ui.fields.address['ui:title'] },
      '/fields/address',
      /no "ui:title"/,
    ],
    [
      'a field without a title',
      { ui: (ui) => delete ui.fields.address.door, pt: (ui) => delete ui.fields.address.door },
      '/fields/address/door',
      /no "ui:title"/,
    ],
    [
      'an unknown field in its UI schema',
      { ui: (ui) => (ui.fields.address.dor = { 'ui:widget': 'text' }) },
      '/fields/address/dor',
      /no field "dor"/,
    ],
    [
      'a widget',
      { ui: (ui) => (ui.fields.address['ui:widget'] = 'text') },
      '/fields/address/ui:widget',
      /has no effect/,
    ],
    [
      'a wrong order',
      { ui: (ui) => (ui.fields.address['ui:order'] = ['stret', '*']) },
      '/fields/address/ui:order/0',
      /no field "stret"/,
    ],
    [
      'an object in the ui of a field',
      { ui: (ui) => (ui.fields.email.inner = { 'ui:widget': 'text' }) },
      '/fields/email/inner',
      /Unknown key "inner"/,
    ],
    [
      'a misspelt key',
      { ui: (ui) => (ui.fields.email.title = 'Correo') },
      '/fields/email/title',
      /Unknown key "title"/,
    ],
    [
      'a rule of its own',
      { schema: (schema) => (schema.properties.address.minProperties = 1) },
      '/properties/address/minProperties',
      /is not allowed/,
    ],
    [
      'no fields',
      { schema: (schema) => (schema.properties.address.properties = {}) },
      '/properties/address/properties',
      /has no fields/,
    ],
    [
      'a required field that does not exist',
      { schema: (schema) => schema.properties.address.required.push('stret') },
      '/properties/address/required/2',
      /"stret" is required/,
    ],
    [
      'a field name with a dot',
      { schema: (schema) => (schema.properties.address.properties['a.b'] = { type: 'string' }) },
      '/properties/address/properties/a.b',
      /not a valid field name/,
    ],
    [
      'unknown fields allowed',
      { schema: (schema) => (schema.properties.address.additionalProperties = true) },
      '/properties/address/additionalProperties',
      /form never accepts unknown fields/,
    ],
    [
      'a field without a type',
      { schema: (schema) => (schema.properties.address.properties.door = {}) },
      '/properties/address/properties/door',
      /no "type"/,
    ],
    [
      'a rule of another field that names its field',
      { schema: (schema) => (schema.properties.repeat.matches = 'address.street') },
      '/properties/repeat/matches',
      /names the field "address.street"/,
    ],
    [
      'a rule that reads an unknown field',
      { ui: (ui) => (ui.visible.extra = { var: 'form.address.stret' }) },
      '/visible/extra',
      /"form.address.stret" does not exist/,
    ],
    [
      'a message for an unknown field',
      { ui: (ui) => (ui.messages = { 'address.stret': { minLength: 'x' } }) },
      '/messages/address.stret',
      /no field/,
    ],
    [
      'a prefill of one of its fields',
      { flow: (flow) => (Object.values<Content>(flow.states)[0].prefill = { 'address.street': 'x' }) },
      '/states/form/prefill/address.street',
      /no field "address.street"/,
    ],
  ])('is reported by the compiler with %s', async (_, change, pointer, message) => {
    const { problems } = await loadProject(form(change));
    expect(problems.map((problem) => [problem.pointer, message.test(problem.message)])).toContainEqual([pointer, true]);
  });

  test('compiles with a prefill and a clear in a flow', async () => {
    const { problems } = await loadProject(
      form({
        flow: (flow) => {
          const [state] = Object.values<Content>(flow.states);
          state.prefill = { address: { street: 'Colonia' } };
          state.clear = ['/address/street'];
        },
      }),
    );
    expect(problems).toEqual([]);
  });
});
