import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, Values } from '../../src/engine/core/json.ts';
import { createForm } from '../../src/engine/index.ts';
import { fieldsOf, text, titled } from './samples/sample-types.ts';
import { screenOf } from './support/loaded-screens.ts';
import { load } from './support/project.ts';
import { filesOf } from './support/sample-form.ts';

const kind = { type: 'string', enum: ['a', 'b', 'c'] } as const;
const names = { 'ui:enumNames': ['A', 'B', 'C'] };
const size = { type: 'string', enum: ['s', 'm', 'l'] } as const;
const sizes = { 'ui:enumNames': ['S', 'M', 'L'] };
const count = { type: 'integer' } as const;

/** Schemas, the visible output of their fields, and the values that each field may have in a document. */
const cases: readonly (readonly [
  name: string,
  schema: object,
  ui: object,
  values: Readonly<Record<string, readonly Json[]>>,
])[] = [
  [
    'if, then and else',
    {
      ...fieldsOf({ kind }),
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: fieldsOf({ more: text }, ['more']),
      else: fieldsOf({ less: text }),
    },
    titled({ kind: 'K', more: 'M', less: 'L' }, { kind: names }),
    { kind: ['a', 'b'], more: ['x'], less: ['y'] },
  ],
  [
    'a condition that holds without the field',
    { ...fieldsOf({ kind }), if: fieldsOf({ kind: { enum: ['a', 'b'] } }), then: fieldsOf({ more: text }, ['more']) },
    titled({ kind: 'K', more: 'M' }, { kind: names }),
    { kind: ['a', 'c'], more: ['x'] },
  ],
  [
    'choices that follow an answer',
    {
      ...fieldsOf({ kind, size }, ['kind', 'size']),
      allOf: [
        { if: fieldsOf({ kind: { const: 'a' } }), then: fieldsOf({ size: { enum: ['s'] } }) },
        { if: fieldsOf({ kind: { const: 'b' } }), then: fieldsOf({ size: { enum: ['s', 'm'] } }) },
      ],
    },
    titled({ kind: 'K', size: 'S' }, { kind: names, size: sizes }),
    { kind: ['a', 'b', 'c'], size: ['s', 'm', 'l'] },
  ],
  [
    'a condition of an object, of what stands in it',
    fieldsOf({
      place: {
        ...fieldsOf({ kind, size, more: text }),
        if: fieldsOf({ kind: { const: 'a' } }, ['kind']),
        then: fieldsOf({ size: { enum: ['s'] } }, ['more']),
        else: fieldsOf({ size: { enum: ['m', 'l'] } }),
      },
    }),
    { place: { 'ui:title': 'P', ...titled({ kind: 'K', size: 'S', more: 'M' }, { kind: names, size: sizes }) } },
    {
      place: ['a', 'b', undefined].flatMap((kindOf) =>
        ['s', 'm', undefined].flatMap((sizeOf) =>
          ['x', undefined].flatMap((more) => {
            const given = Object.entries({ kind: kindOf, size: sizeOf, more }).filter(
              ([, value]) => value !== undefined,
            );
            return given.length === 0 ? [] : [Object.fromEntries(given) as Json];
          }),
        ),
      ),
    },
  ],
  [
    'a condition of the form, of what stands in an object, and of an object, of the form',
    {
      ...fieldsOf({ kind, count, place: fieldsOf({ size, inner: fieldsOf({ kind, more: text }) }) }),
      allOf: [
        {
          if: fieldsOf({ kind: { const: 'a' } }, ['kind']),
          then: fieldsOf({
            place: fieldsOf({ size: { enum: ['s', 'm'] }, inner: fieldsOf({ kind: { enum: ['b', 'c'] } }) }),
          }),
        },
        {
          if: fieldsOf({ place: fieldsOf({ size: { const: 'm' } }, ['size']) }, ['place']),
          then: { required: ['count'] },
        },
      ],
    },
    {
      ...titled({ kind: 'K', count: 'C' }, { kind: names }),
      place: {
        'ui:title': 'P',
        ...titled({ size: 'S' }, { size: sizes }),
        inner: { 'ui:title': 'I', ...titled({ kind: 'K', more: 'M' }, { kind: names }) },
      },
    },
    {
      kind: ['a', 'b'],
      count: [1],
      place: [
        { size: 's' },
        { size: 'm' },
        { size: 'l' },
        { inner: { kind: 'a' } },
        { size: 's', inner: { kind: 'b' } },
      ],
    },
  ],
  [
    'a condition of the items of a list, each by itself',
    fieldsOf({
      kind,
      list: {
        type: 'array',
        maxItems: 3,
        items: {
          ...fieldsOf({ kind, place: fieldsOf({ size, more: text }) }, ['kind']),
          allOf: [
            {
              if: fieldsOf({ kind: { const: 'a' } }, ['kind']),
              then: fieldsOf({ place: fieldsOf({ size: { enum: ['s'] } }, ['more']) }),
            },
          ],
        },
      },
    }),
    {
      ...titled({ kind: 'K' }, { kind: names }),
      list: {
        'ui:title': 'L',
        items: {
          'ui:title': 'I',
          ...titled({ kind: 'K' }, { kind: names }),
          place: { 'ui:title': 'P', ...titled({ size: 'S', more: 'M' }, { size: sizes }) },
        },
      },
    },
    {
      kind: ['a', 'b'],
      list: [
        [{ kind: 'a' }],
        [{ kind: 'a', place: { size: 's' } }],
        [{ kind: 'a', place: { size: 's', more: 'x' } }],
        [{ kind: 'a', place: { size: 'm', more: 'x' } }],
        [{ kind: 'b', place: { size: 'm' } }],
        [
          { kind: 'b', place: { size: 'm' } },
          { kind: 'a', place: { size: 'm', more: 'x' } },
        ],
      ] as unknown as Json[],
    },
  ],
  [
    'a condition in another',
    {
      ...fieldsOf({ kind, count }),
      if: { properties: { count: { minimum: 3 } }, required: ['count'] },
      then: {
        ...fieldsOf({ many: text }),
        if: { properties: { kind: { not: { const: 'a' } } }, required: ['kind'] },
        then: { required: ['many'] },
      },
    },
    titled({ kind: 'K', count: 'C', many: 'M' }, { kind: names }),
    { kind: ['a', 'b'], count: [0, 2, 3, 4], many: ['x'] },
  ],
  [
    'dependents',
    {
      ...fieldsOf({ card: text, bill: text, code: text, count }),
      dependentRequired: { card: ['bill'], count: ['card'] },
      dependentSchemas: { bill: { required: ['code'] } },
    },
    titled({ card: 'C', bill: 'B', code: 'O', count: 'N' }),
    { card: ['1'], bill: ['2'], code: ['3'], count: [0] },
  ],
  [
    'alternatives by a field',
    {
      ...fieldsOf({ note: text }),
      oneOf: [
        fieldsOf({ kind: { const: 'a' }, first: text }, ['kind', 'first']),
        fieldsOf({ kind: { enum: ['b', 'c'] }, second: text }, ['kind']),
      ],
    },
    titled({ note: 'N', kind: 'K', first: 'F', second: 'S' }, { kind: names }),
    { kind: ['a', 'b', 'c', 'd'], first: ['x'], second: ['y'] },
  ],
  [
    'parts that hold beside each other',
    {
      type: 'object',
      allOf: [
        fieldsOf({ word: { type: 'string', minLength: 2 } }),
        fieldsOf({ word: { allOf: [{ maxLength: 3 }, { enum: ['a', 'ab', 'abc', 'abcd'] }] } }, ['word']),
      ],
    },
    titled({ word: 'W' }, { word: { 'ui:enumNames': ['1', '2', '3', '4'] } }),
    { word: ['a', 'ab', 'abc', 'abcd', 'b'] },
  ],
  [
    'several answers',
    {
      ...fieldsOf({ kinds: { type: 'array', items: kind }, why: text }),
      if: { properties: { kinds: { contains: { const: 'c' } } }, required: ['kinds'] },
      then: { required: ['why'] },
    },
    titled({ kinds: 'K', why: 'W' }, { kinds: names }),
    { kinds: [['a'], ['a', 'c']] as unknown as Json[], why: ['x'] },
  ],
  [
    'a yes and a no that are chosen',
    {
      ...fieldsOf({ agree: { type: 'boolean', enum: [true, false] }, why: text }, ['agree']),
      if: { properties: { agree: { const: false } }, required: ['agree'] },
      then: { required: ['why'] },
    },
    titled({ agree: 'A', why: 'W' }),
    { agree: [true, false, 'no'], why: ['x'] },
  ],
  [
    'nothing to fill in, and what may be null',
    fieldsOf({
      note: { type: 'null' },
      word: { ...text, type: ['string', 'null'] },
      size: { ...size, readOnly: true },
    }),
    titled({ note: 'N', word: 'W', size: 'S' }, { size: sizes }),
    { note: [null, 'x'], word: [null, 'x', 1], size: ['s', 'x'] },
  ],
  [
    'alternatives of which one alone may hold',
    {
      ...fieldsOf({ note: text }),
      oneOf: [
        { title: 'A', ...fieldsOf({ first: text, both: text }, ['first']) },
        { title: 'B', ...fieldsOf({ second: { ...text, minLength: 2 }, both: text }, ['second', 'both']) },
        { title: 'C', ...fieldsOf({ third: count }, ['third']) },
      ],
    },
    titled({ note: 'N', first: 'F', second: 'S', third: 'T', both: 'B' }),
    { note: ['x'], first: ['x'], second: ['yy'], third: [0, 1], both: ['z'] },
  ],
  [
    'alternatives of which some hold',
    {
      ...fieldsOf({ note: text }),
      anyOf: [
        { title: 'A', ...fieldsOf({ first: text, more: text }, ['first']) },
        { title: 'B', ...fieldsOf({ second: count }, ['second']) },
      ],
    },
    titled({ note: 'N', first: 'F', more: 'M', second: 'S' }),
    { note: ['x'], first: ['x'], more: ['y'], second: [0] },
  ],
  [
    'choices that are objects',
    fieldsOf({ place: { enum: [{ lat: 1, name: 'a' }, { lat: 2 }] }, note: text }, ['place']),
    titled({ place: 'P', note: 'N' }, { place: { 'ui:enumNames': ['A', 'B'] } }),
    { place: [{ name: 'a', lat: 1 }, { lat: 2 }, { lat: 1 }, 'a'], note: ['x'] },
  ],
  [
    'an instant and an hour',
    fieldsOf({ at: { type: 'string', format: 'date-time' }, hour: { type: 'string', format: 'time' } }, ['at']),
    titled({ at: 'A', hour: 'H' }),
    { at: ['2026-12-01T13:30:00Z', '2026-12-01', 7], hour: ['10:30:00-03:00', '10:30'] },
  ],
  [
    'items of fixed places',
    fieldsOf({
      pair: { type: 'array', prefixItems: [text, { type: 'boolean' }, count], items: false },
      point: { type: 'array', minItems: 2, prefixItems: [count, { type: 'integer', maximum: 9 }], items: false },
    }),
    {
      pair: { 'ui:title': 'P', ...titled({ 0: 'T', 1: 'B', 2: 'C' }) },
      point: { 'ui:title': 'O', ...titled({ 0: 'X', 1: 'Y' }) },
    },
    {
      pair: [
        ['x'],
        ['x', false],
        ['x', true, 0],
        [true],
        [null, true],
        ['x', null, 1],
        { 0: 'x' },
        'x',
        ['x', true, 0, 1],
      ] as Json[],
      point: [[1], [1, 2], [1, 10], [1, 2, 3]] as unknown as Json[],
    },
  ],
];

const surroundings = { language: 'es', context: {} };

/** Every combination in which each field has one of its values or is missing. */
function documentsOf(values: Readonly<Record<string, readonly Json[]>>): readonly Values[] {
  return Object.entries(values).reduce<readonly Values[]>(
    (documents, [name, own]) => documents.flatMap((one) => [one, ...own.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );
}

describe("[ENG-15] JSON Schema's words for what follows an answer", () => {
  test.each(cases)(
    '%s: a document is refused where ajv refuses it, and only there',
    async (_, schema, fields, values) => {
      const { definitions, problems } = await load(filesOf({ schema, ui: { fields } }));
      if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      const isValid = ajv.compile(schema);
      const documents = documentsOf(values);
      const verdicts = documents.map((given) => {
        const { errors } = definitions.check('sample', given, surroundings);
        return { given, isFine: Object.keys(errors).length === 0 };
      });
      expect(verdicts).toEqual(documents.map((given) => ({ given, isFine: isValid(given) })));
      expect(new Set(verdicts.map(({ isFine }) => isFine)).size).toBe(2);
    },
  );

  test('a choice that is offered no more is taken back', async () => {
    const [, schema, fields] = cases[2]!;
    const { definitions } = await load(filesOf({ schema, ui: { fields } }));
    const form = createForm(await screenOf(definitions!, 'sample'), { kind: 'b', size: 'm' });
    expect([form.values, form.ready]).toEqual([{ kind: 'b', size: 'm' }, true]);
    form.set('kind', 'a');
    expect([form.values, form.ready]).toEqual([{ kind: 'a', size: undefined }, false]);
    form.set('size', 's');
    form.set('kind', 'c');
    expect(await form.submit()).toEqual({ kind: 'c', size: 's' });
  });

  test('a choice in an item is taken back by an answer of that item alone', async () => {
    const [, schema, fields] = cases.find(([name]) => name.startsWith('a condition of the items'))!;
    const { definitions } = await load(filesOf({ schema, ui: { fields } }));
    const item = { kind: 'b', place: { size: 'm', more: 'x' } };
    const draft = (await screenOf(definitions!, 'sample')).open({ list: [item, item] }, {});
    draft?.field('list.0.kind')?.set('a');
    expect([0, 1].map((index) => draft?.field(`list.${index}.place.size`)?.value)).toEqual([undefined, 'm']);
  });

  test.each([
    [
      'a field that it has not',
      { then: fieldsOf({ other: text }) },
      '/then/properties/other',
      '"place.other" is no field of its object.',
    ],
    [
      'other rules',
      { then: fieldsOf({ size: { maxLength: 1 } }) },
      '/then/properties/size',
      '"place.size" has other rules here than elsewhere in the schema.',
    ],
    [
      'another condition',
      { then: { oneOf: [] } },
      '/then/oneOf',
      '"oneOf" cannot stand in a part of an object that holds by a condition.',
    ],
  ])('a condition of an object: %s is refused', async (_, part, pointer, message) => {
    const place = { ...fieldsOf({ kind, size }), if: fieldsOf({ kind: { const: 'a' } }), ...part };
    const ui = {
      fields: { place: { 'ui:title': 'P', ...titled({ kind: 'K', size: 'S' }, { kind: names, size: sizes }) } },
    };
    const { problems } = await load(filesOf({ schema: fieldsOf({ place }), ui }));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      `/properties/place${pointer}`,
      message,
    ]);
  });

  test('what is chosen of several loses that alone', async () => {
    const schema = {
      ...fieldsOf({ kind, sizes: { type: 'array', items: size } }),
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: fieldsOf({ sizes: { items: { enum: ['s', 'm'] } } }),
    };
    const fields = titled({ kind: 'K', sizes: 'S' }, { kind: names, sizes: { ...sizes, 'ui:widget': 'checkboxes' } });
    const { definitions } = await load(filesOf({ schema, ui: { fields } }));
    const form = createForm(await screenOf(definitions!, 'sample'), { sizes: ['s', 'l'] });
    form.set('kind', 'a');
    expect(form.values).toEqual({ kind: 'a', sizes: ['s'] });
    expect(definitions!.check('sample', { kind: 'a', sizes: ['l'] }, surroundings).errors).toEqual({ sizes: 'Opción' });
  });

  test('a field that was emptied stays so: its default is what a form begins with', async () => {
    const schema = fieldsOf({ land: { ...text, default: 'UY' }, town: text });
    const { definitions } = await load(filesOf({ schema, ui: { fields: titled({ land: 'L', town: 'T' }) } }));
    const screen = await screenOf(definitions!, 'sample');
    const form = createForm(screen);
    expect(form.values).toEqual({ land: 'UY', town: undefined });
    form.set('land', '');
    expect(createForm(screen, form.values).values['land']).toBeUndefined();
    expect(definitions!.check('sample', {}, surroundings).data).toEqual({});
  });

  test('a choice between alternatives is never sent; what a form begins with, or what the server is sent, decides it', async () => {
    const [, schema, fields] = cases.find(([name]) => name.startsWith('alternatives of which one'))!;
    const { definitions } = await load(filesOf({ schema, ui: { fields } }));
    const screen = await screenOf(definitions!, 'sample');
    const form = createForm(screen, { second: 'yy', both: 'z' });
    expect([form.values['oneOf'], form.ready]).toEqual(['2', true]);
    form.set('oneOf', '1');
    expect(form.ready).toBe(false);
    form.set('first', 'x');
    expect(await form.submit()).toEqual({ first: 'x', both: 'z' });
    const check = (values: Values) => definitions!.check('sample', values, surroundings);
    expect(check({ first: 'x', both: 'z' })).toEqual({ data: { first: 'x', both: 'z' }, errors: {} });
    expect(check({ first: 'x', third: 1 }).errors).toEqual({ oneOf: 'Falta' });
    expect(check({ first: 'x', oneOf: '3' }).errors).toEqual({ third: 'Falta' });
  });

  test('a choice between alternatives is none of the items of a list beside it', async () => {
    const list = { type: 'array', maxItems: 2, items: fieldsOf({ word: text }, ['word']) };
    const schema = { ...fieldsOf({ list }), oneOf: [fieldsOf({ a: text }, ['a']), fieldsOf({ b: text }, ['b'])] };
    const choice = { 'ui:title': 'O', 'ui:enumNames': ['A', 'B'] };
    const fields = {
      ...titled({ a: 'A', b: 'B' }),
      list: { 'ui:title': 'L', items: { 'ui:title': 'I', ...titled({ word: 'W' }) } },
      oneOf: choice,
    };
    const { definitions, problems } = await load(filesOf({ schema, ui: { fields } }));
    expect(problems).toEqual([]);
    const sent = { list: [{ word: 'x' }], a: 'y' };
    expect(definitions!.check('sample', sent, surroundings)).toEqual({ data: sent, errors: {} });
    const form = createForm(await screenOf(definitions!, 'sample'), sent);
    expect(await form.submit()).toEqual(sent);
  });

  test.each([
    ['of which none requires a field of its own', 'oneOf', [fieldsOf({ a: text }), fieldsOf({ b: text }, ['b'])]],
    ['that have the same fields', 'anyOf', [fieldsOf({ a: text }), fieldsOf({ a: text }, ['a'])]],
  ])('alternatives %s are refused', async (_, keyword, branches) => {
    const { problems } = await load(filesOf({ schema: { type: 'object', [keyword]: branches }, ui: {} }));
    expect(problems.map(({ pointer, message }) => [pointer, message])).toContainEqual([
      `/${keyword}`,
      `No field says which alternative of "${keyword}" is meant.`,
    ]);
  });

  test.each([
    ['more of them', { type: 'array', items: [text], additionalItems: count }, '/properties/pair'],
    ['an object among them', { type: 'array', prefixItems: [fieldsOf({ a: text })], items: false }, '/properties/pair'],
    ['a field that is called as they are', fieldsOf({ 0: text }), '/properties/pair/properties/0'],
  ])('items of fixed places: %s is refused', async (_, pair, pointer) => {
    const { problems } = await load(filesOf({ schema: fieldsOf({ pair }), ui: { fields: titled({ pair: 'P' }) } }));
    expect(problems.map((problem) => problem.pointer)).toContainEqual(expect.stringContaining(pointer));
  });

  test('the version of a form follows its conditions', async () => {
    const versionOf = async (wanted: string) => {
      const schema: JsonObject = {
        ...(fieldsOf({ kind, more: text }) as JsonObject),
        if: { properties: { kind: { const: wanted } }, required: ['kind'] },
        then: { required: ['more'] },
      };
      const { definitions } = await load(
        filesOf({ schema, ui: { fields: titled({ kind: 'K', more: 'M' }, { kind: names }) } }),
      );
      return definitions!.screenVersion('sample');
    };
    expect(await versionOf('a')).not.toBe(await versionOf('b'));
  });
});

describe('[ENG-15] texts of a schema', () => {
  const schema = fieldsOf({
    drink: {
      title: 'Bebida',
      description: 'Una',
      oneOf: [
        { const: 'tea', title: 'Té' },
        { const: 'mate', title: 'Mate' },
      ],
    },
    list: {
      type: 'array',
      title: 'Lista',
      maxItems: 2,
      items: { ...fieldsOf({ name: { ...text, title: 'Nombre' } }, ['name']), title: 'Uno' },
    },
    place: { ...fieldsOf({ town: { ...text, title: 'Ciudad' } }), title: 'Lugar' },
  });

  test('are seen where ui.json has none', async () => {
    const { definitions, problems } = await load(filesOf({ schema, ui: { fields: titled({ drink: 'Trago' }) } }));
    expect(problems).toEqual([]);
    expect(definitions?.ui('sample', 'es').fields).toEqual({
      drink: { 'ui:title': 'Trago', 'ui:help': 'Una', 'ui:enumNames': ['Té', 'Mate'] },
      list: { 'ui:title': 'Lista', items: { 'ui:title': 'Uno', name: { 'ui:title': 'Nombre' } } },
      place: { 'ui:title': 'Lugar', town: { 'ui:title': 'Ciudad' } },
    });
  });

  test('of a set in several languages stand in ui.json, which is translated', async () => {
    const files = filesOf({ schema, ui: {} });
    const { problems } = await load({
      ...files,
      'schemas/_shared/messages.pt.json': files['schemas/_shared/messages.json'],
      'schemas/sample/ui.pt.json': {},
      'schemas/done/ui.pt.json': {},
    });
    const told = problems.map(({ message }) => message);
    expect(told).toContain('"oneOf" cannot stand in a field.');
    expect(told).toContain('The field "place.town" has no "ui:title".');
  });
});

describe("[ENG-15] a grid of rjsf that the engine's two columns do not say is refused", () => {
  const row = (children: readonly unknown[]) => ({ 'ui:row': { children } });
  const col = (...children: readonly unknown[]) => ({ 'ui:col': { xs: 4, children } });

  test.each([
    ['three fields beside each other', row([col('a'), col('b'), col('c')])],
    ['two fields in a column', row([col('a', 'b'), col('c')])],
    ['a field that it has not', row([col('a'), col('b')])],
    ['a field of no schema', row([col(row(['a', 'b'])), col('c'), col('d')])],
    ['a condition', row(['a', 'b', { 'ui:condition': { field: 'a', value: 'x', children: ['c'] } }])],
  ])('%s', async (_, grid) => {
    const schema = fieldsOf({ a: text, b: text, c: text });
    const fields = { 'ui:field': 'LayoutGridField', 'ui:layoutGrid': grid, ...titled({ a: 'A', b: 'B', c: 'C' }) };
    const { problems } = await load(filesOf({ schema, ui: { fields } }));
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/fields/ui:field', '/fields/ui:layoutGrid']);
  });
});
