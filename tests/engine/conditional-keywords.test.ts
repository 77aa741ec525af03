import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject, ValuesByName } from '../../src/engine/core/json.ts';
import { createForm } from '../../src/engine/index.ts';
import { createObjectSchema, text, createTitledFields } from './samples/sample-types.ts';
import { importScreen } from './support/loaded-screens.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';

const kind = { type: 'string', enum: ['a', 'b', 'c'] } as const;
const names = { 'ui:enumNames': ['A', 'B', 'C'] };
const size = { type: 'string', enum: ['s', 'm', 'l'] } as const;
const sizes = { 'ui:enumNames': ['S', 'M', 'L'] };
const count = { type: 'integer' } as const;

/** Schemas, the expected rendering of their fields, and the possible values of each field in a document. */
const cases: readonly (readonly [
  name: string,
  schema: object,
  ui: object,
  values: Readonly<Record<string, readonly Json[]>>,
])[] = [
  [
    'if, then and else',
    {
      ...createObjectSchema({ kind }),
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: createObjectSchema({ more: text }, ['more']),
      else: createObjectSchema({ less: text }),
    },
    createTitledFields({ kind: 'K', more: 'M', less: 'L' }, { kind: names }),
    { kind: ['a', 'b'], more: ['x'], less: ['y'] },
  ],
  [
    'a condition that is true for a missing field',
    {
      ...createObjectSchema({ kind }),
      if: createObjectSchema({ kind: { enum: ['a', 'b'] } }),
      then: createObjectSchema({ more: text }, ['more']),
    },
    createTitledFields({ kind: 'K', more: 'M' }, { kind: names }),
    { kind: ['a', 'c'], more: ['x'] },
  ],
  [
    'choices that depend on another field',
    {
      ...createObjectSchema({ kind, size }, ['kind', 'size']),
      allOf: [
        { if: createObjectSchema({ kind: { const: 'a' } }), then: createObjectSchema({ size: { enum: ['s'] } }) },
        { if: createObjectSchema({ kind: { const: 'b' } }), then: createObjectSchema({ size: { enum: ['s', 'm'] } }) },
      ],
    },
    createTitledFields({ kind: 'K', size: 'S' }, { kind: names, size: sizes }),
    { kind: ['a', 'b', 'c'], size: ['s', 'm', 'l'] },
  ],
  [
    'a condition inside an object',
    createObjectSchema({
      place: {
        ...createObjectSchema({ kind, size, more: text }),
        if: createObjectSchema({ kind: { const: 'a' } }, ['kind']),
        then: createObjectSchema({ size: { enum: ['s'] } }, ['more']),
        else: createObjectSchema({ size: { enum: ['m', 'l'] } }),
      },
    }),
    {
      place: {
        'ui:title': 'P',
        ...createTitledFields({ kind: 'K', size: 'S', more: 'M' }, { kind: names, size: sizes }),
      },
    },
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
    'conditions across the form and its objects',
    {
      ...createObjectSchema({
        kind,
        count,
        place: createObjectSchema({ size, inner: createObjectSchema({ kind, more: text }) }),
      }),
      allOf: [
        {
          if: createObjectSchema({ kind: { const: 'a' } }, ['kind']),
          then: createObjectSchema({
            place: createObjectSchema({
              size: { enum: ['s', 'm'] },
              inner: createObjectSchema({ kind: { enum: ['b', 'c'] } }),
            }),
          }),
        },
        {
          if: createObjectSchema({ place: createObjectSchema({ size: { const: 'm' } }, ['size']) }, ['place']),
          then: { required: ['count'] },
        },
      ],
    },
    {
      ...createTitledFields({ kind: 'K', count: 'C' }, { kind: names }),
      place: {
        'ui:title': 'P',
        ...createTitledFields({ size: 'S' }, { size: sizes }),
        inner: { 'ui:title': 'I', ...createTitledFields({ kind: 'K', more: 'M' }, { kind: names }) },
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
    'a condition of the items of a list',
    createObjectSchema({
      kind,
      list: {
        type: 'array',
        maxItems: 3,
        items: {
          ...createObjectSchema({ kind, place: createObjectSchema({ size, more: text }) }, ['kind']),
          allOf: [
            {
              if: createObjectSchema({ kind: { const: 'a' } }, ['kind']),
              then: createObjectSchema({ place: createObjectSchema({ size: { enum: ['s'] } }, ['more']) }),
            },
          ],
        },
      },
    }),
    {
      ...createTitledFields({ kind: 'K' }, { kind: names }),
      list: {
        'ui:title': 'L',
        items: {
          'ui:title': 'I',
          ...createTitledFields({ kind: 'K' }, { kind: names }),
          place: { 'ui:title': 'P', ...createTitledFields({ size: 'S', more: 'M' }, { size: sizes }) },
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
    'a nested condition',
    {
      ...createObjectSchema({ kind, count }),
      if: { properties: { count: { minimum: 3 } }, required: ['count'] },
      then: {
        ...createObjectSchema({ many: text }),
        if: { properties: { kind: { not: { const: 'a' } } }, required: ['kind'] },
        then: { required: ['many'] },
      },
    },
    createTitledFields({ kind: 'K', count: 'C', many: 'M' }, { kind: names }),
    { kind: ['a', 'b'], count: [0, 2, 3, 4], many: ['x'] },
  ],
  [
    'dependent fields',
    {
      ...createObjectSchema({ card: text, bill: text, code: text, count }),
      dependentRequired: { card: ['bill'], count: ['card'] },
      dependentSchemas: { bill: { required: ['code'] } },
    },
    createTitledFields({ card: 'C', bill: 'B', code: 'O', count: 'N' }),
    { card: ['1'], bill: ['2'], code: ['3'], count: [0] },
  ],
  [
    'alternatives selected by a field',
    {
      ...createObjectSchema({ note: text }),
      oneOf: [
        createObjectSchema({ kind: { const: 'a' }, first: text }, ['kind', 'first']),
        createObjectSchema({ kind: { enum: ['b', 'c'] }, second: text }, ['kind']),
      ],
    },
    createTitledFields({ note: 'N', kind: 'K', first: 'F', second: 'S' }, { kind: names }),
    { kind: ['a', 'b', 'c', 'd'], first: ['x'], second: ['y'] },
  ],
  [
    'combined parts of allOf',
    {
      type: 'object',
      allOf: [
        createObjectSchema({ word: { type: 'string', minLength: 2 } }),
        createObjectSchema({ word: { allOf: [{ maxLength: 3 }, { enum: ['a', 'ab', 'abc', 'abcd'] }] } }, ['word']),
      ],
    },
    createTitledFields({ word: 'W' }, { word: { 'ui:enumNames': ['1', '2', '3', '4'] } }),
    { word: ['a', 'ab', 'abc', 'abcd', 'b'] },
  ],
  [
    'an array of choices in a condition',
    {
      ...createObjectSchema({ kinds: { type: 'array', items: kind }, why: text }),
      if: { properties: { kinds: { contains: { const: 'c' } } }, required: ['kinds'] },
      then: { required: ['why'] },
    },
    createTitledFields({ kinds: 'K', why: 'W' }, { kinds: names }),
    { kinds: [['a'], ['a', 'c']] as unknown as Json[], why: ['x'] },
  ],
  [
    'a boolean with two choices',
    {
      ...createObjectSchema({ agree: { type: 'boolean', enum: [true, false] }, why: text }, ['agree']),
      if: { properties: { agree: { const: false } }, required: ['agree'] },
      then: { required: ['why'] },
    },
    createTitledFields({ agree: 'A', why: 'W' }),
    { agree: [true, false, 'no'], why: ['x'] },
  ],
  [
    'fields that may be null',
    createObjectSchema({
      note: { type: 'null' },
      word: { ...text, type: ['string', 'null'] },
      size: { ...size, readOnly: true },
    }),
    createTitledFields({ note: 'N', word: 'W', size: 'S' }, { size: sizes }),
    { note: [null, 'x'], word: [null, 'x', 1], size: ['s', 'x'] },
  ],
  [
    'alternatives of which one may apply',
    {
      ...createObjectSchema({ note: text }),
      oneOf: [
        { title: 'A', ...createObjectSchema({ first: text, both: text }, ['first']) },
        { title: 'B', ...createObjectSchema({ second: { ...text, minLength: 2 }, both: text }, ['second', 'both']) },
        { title: 'C', ...createObjectSchema({ third: count }, ['third']) },
      ],
    },
    createTitledFields({ note: 'N', first: 'F', second: 'S', third: 'T', both: 'B' }),
    { note: ['x'], first: ['x'], second: ['yy'], third: [0, 1], both: ['z'] },
  ],
  [
    'alternatives of which several may apply',
    {
      ...createObjectSchema({ note: text }),
      anyOf: [
        { title: 'A', ...createObjectSchema({ first: text, more: text }, ['first']) },
        { title: 'B', ...createObjectSchema({ second: count }, ['second']) },
      ],
    },
    createTitledFields({ note: 'N', first: 'F', more: 'M', second: 'S' }),
    { note: ['x'], first: ['x'], more: ['y'], second: [0] },
  ],
  [
    'choices that are objects',
    createObjectSchema({ place: { enum: [{ lat: 1, name: 'a' }, { lat: 2 }] }, note: text }, ['place']),
    createTitledFields({ place: 'P', note: 'N' }, { place: { 'ui:enumNames': ['A', 'B'] } }),
    { place: [{ name: 'a', lat: 1 }, { lat: 2 }, { lat: 1 }, 'a'], note: ['x'] },
  ],
  [
    'a date-time and a time',
    createObjectSchema({ at: { type: 'string', format: 'date-time' }, hour: { type: 'string', format: 'time' } }, [
      'at',
    ]),
    createTitledFields({ at: 'A', hour: 'H' }),
    { at: ['2026-12-01T13:30:00Z', '2026-12-01', 7], hour: ['10:30:00-03:00', '10:30'] },
  ],
  [
    'prefixItems',
    createObjectSchema({
      pair: { type: 'array', prefixItems: [text, { type: 'boolean' }, count], items: false },
      point: { type: 'array', minItems: 2, prefixItems: [count, { type: 'integer', maximum: 9 }], items: false },
    }),
    {
      pair: { 'ui:title': 'P', ...createTitledFields({ 0: 'T', 1: 'B', 2: 'C' }) },
      point: { 'ui:title': 'O', ...createTitledFields({ 0: 'X', 1: 'Y' }) },
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

/** Returns all combinations in which each field has one of its values or is missing. */
function listCombinations(values: Readonly<Record<string, readonly Json[]>>): readonly ValuesByName[] {
  return Object.entries(values).reduce<readonly ValuesByName[]>(
    (documents, [name, own]) => documents.flatMap((one) => [one, ...own.map((value) => ({ ...one, [name]: value }))]),
    [{}],
  );
}

describe('[ENG-15] JSON Schema keywords for conditions and alternatives', () => {
  test.each(cases)('accept and reject the same documents as Ajv: %s', async (_, schema, fields, values) => {
    const { definitions, problems } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    const isValid = ajv.compile(schema);
    const documents = listCombinations(values);
    const verdicts = documents.map((given) => {
      const { errors } = definitions.check('sample', given, surroundings);
      return { given, isFine: Object.keys(errors).length === 0 };
    });
    expect(verdicts).toEqual(documents.map((given) => ({ given, isFine: isValid(given) })));
    expect(new Set(verdicts.map(({ isFine }) => isFine)).size).toBe(2);
  });

  test('clear a choice that is no longer available', async () => {
    const [, schema, fields] = cases[2]!;
    const { definitions } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    const form = createForm(await importScreen(definitions!, 'sample'), { kind: 'b', size: 'm' });
    expect([form.values, form.ready]).toEqual([{ kind: 'b', size: 'm' }, true]);
    form.set('kind', 'a');
    expect([form.values, form.ready]).toEqual([{ kind: 'a', size: undefined }, false]);
    form.set('size', 's');
    form.set('kind', 'c');
    expect(await form.submit()).toEqual({ kind: 'c', size: 's' });
  });

  test('clear a choice in a list item only after a change in that item', async () => {
    const [, schema, fields] = cases.find(([name]) => name.startsWith('a condition of the items'))!;
    const { definitions } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    const item = { kind: 'b', place: { size: 'm', more: 'x' } };
    const draft = (await importScreen(definitions!, 'sample')).open({ list: [item, item] }, {});
    draft?.field('list.0.kind')?.set('a');
    expect([0, 1].map((index) => draft?.field(`list.${index}.place.size`)?.value)).toEqual([undefined, 'm']);
  });

  test.each([
    [
      'an unknown field',
      { then: createObjectSchema({ other: text }) },
      '/then/properties/other',
      '"place.other" is not a field of its object.',
    ],
    [
      'other rules for a field',
      { then: createObjectSchema({ size: { maxLength: 1 } }) },
      '/then/properties/size',
      '"place.size" has different rules here than elsewhere in the schema.',
    ],
    [
      'a nested alternative',
      { then: { oneOf: [] } },
      '/then/oneOf',
      '"oneOf" is not allowed in a conditional part of an object.',
    ],
  ])('reject a condition of an object with %s', async (_, part, pointer, message) => {
    const place = { ...createObjectSchema({ kind, size }), if: createObjectSchema({ kind: { const: 'a' } }), ...part };
    const ui = {
      fields: {
        place: { 'ui:title': 'P', ...createTitledFields({ kind: 'K', size: 'S' }, { kind: names, size: sizes }) },
      },
    };
    const { problems } = await loadProject(createFormFiles({ schema: createObjectSchema({ place }), ui }));
    expect(problems.map((problem) => [problem.pointer, problem.message])).toContainEqual([
      `/properties/place${pointer}`,
      message,
    ]);
  });

  test('remove only the unavailable values from an array of choices', async () => {
    const schema = {
      ...createObjectSchema({ kind, sizes: { type: 'array', items: size } }),
      if: { properties: { kind: { const: 'a' } }, required: ['kind'] },
      then: createObjectSchema({ sizes: { items: { enum: ['s', 'm'] } } }),
    };
    const fields = createTitledFields(
      { kind: 'K', sizes: 'S' },
      { kind: names, sizes: { ...sizes, 'ui:widget': 'checkboxes' } },
    );
    const { definitions } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    const form = createForm(await importScreen(definitions!, 'sample'), { sizes: ['s', 'l'] });
    form.set('kind', 'a');
    expect(form.values).toEqual({ kind: 'a', sizes: ['s'] });
    expect(definitions!.check('sample', { kind: 'a', sizes: ['l'] }, surroundings).errors).toEqual({ sizes: 'Opción' });
  });

  test('apply a default to a new form, and not to a cleared field', async () => {
    const schema = createObjectSchema({ land: { ...text, default: 'UY' }, town: text });
    const { definitions } = await loadProject(
      createFormFiles({ schema, ui: { fields: createTitledFields({ land: 'L', town: 'T' }) } }),
    );
    const screen = await importScreen(definitions!, 'sample');
    const form = createForm(screen);
    expect(form.values).toEqual({ land: 'UY', town: undefined });
    form.set('land', '');
    expect(createForm(screen, form.values).values['land']).toBeUndefined();
    expect(definitions!.check('sample', {}, surroundings).data).toEqual({});
  });

  test('never send the selected alternative, and derive it from the initial or the sent values', async () => {
    const [, schema, fields] = cases.find(([name]) => name.startsWith('alternatives of which one'))!;
    const { definitions } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    const screen = await importScreen(definitions!, 'sample');
    const form = createForm(screen, { second: 'yy', both: 'z' });
    expect([form.values['oneOf'], form.ready]).toEqual(['2', true]);
    form.set('oneOf', '1');
    expect(form.ready).toBe(false);
    form.set('first', 'x');
    expect(await form.submit()).toEqual({ first: 'x', both: 'z' });
    const check = (values: ValuesByName) => definitions!.check('sample', values, surroundings);
    expect(check({ first: 'x', both: 'z' })).toEqual({ data: { first: 'x', both: 'z' }, errors: {} });
    expect(check({ first: 'x', third: 1 }).errors).toEqual({ oneOf: 'Falta' });
    expect(check({ first: 'x', oneOf: '3' }).errors).toEqual({ third: 'Falta' });
  });

  test('keep the selected alternative out of the items of a list beside it', async () => {
    const list = { type: 'array', maxItems: 2, items: createObjectSchema({ word: text }, ['word']) };
    const schema = {
      ...createObjectSchema({ list }),
      oneOf: [createObjectSchema({ a: text }, ['a']), createObjectSchema({ b: text }, ['b'])],
    };
    const choice = { 'ui:title': 'O', 'ui:enumNames': ['A', 'B'] };
    const fields = {
      ...createTitledFields({ a: 'A', b: 'B' }),
      list: { 'ui:title': 'L', items: { 'ui:title': 'I', ...createTitledFields({ word: 'W' }) } },
      oneOf: choice,
    };
    const { definitions, problems } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    expect(problems).toEqual([]);
    const sent = { list: [{ word: 'x' }], a: 'y' };
    expect(definitions!.check('sample', sent, surroundings)).toEqual({ data: sent, errors: {} });
    const form = createForm(await importScreen(definitions!, 'sample'), sent);
    expect(await form.submit()).toEqual(sent);
  });

  test.each([
    [
      'without a deciding required field',
      'oneOf',
      [createObjectSchema({ a: text }), createObjectSchema({ b: text }, ['b'])],
    ],
    ['with the same fields', 'anyOf', [createObjectSchema({ a: text }), createObjectSchema({ a: text }, ['a'])]],
  ])('reject alternatives %s', async (_, keyword, branches) => {
    const { problems } = await loadProject(
      createFormFiles({ schema: { type: 'object', [keyword]: branches }, ui: {} }),
    );
    expect(problems.map(({ pointer, message }) => [pointer, message])).toContainEqual([
      `/${keyword}`,
      `No field determines which alternative of "${keyword}" applies.`,
    ]);
  });

  test.each([
    ['additional items', { type: 'array', items: [text], additionalItems: count }, '/properties/pair'],
    ['an object', { type: 'array', prefixItems: [createObjectSchema({ a: text })], items: false }, '/properties/pair'],
    ['a field named like an index', createObjectSchema({ 0: text }), '/properties/pair/properties/0'],
  ])('reject unsupported fixed items: %s', async (_, pair, pointer) => {
    const { problems } = await loadProject(
      createFormFiles({ schema: createObjectSchema({ pair }), ui: { fields: createTitledFields({ pair: 'P' }) } }),
    );
    expect(problems.map((problem) => problem.pointer)).toContainEqual(expect.stringContaining(pointer));
  });

  test('change the version of the form with a condition', async () => {
    const versionOf = async (wanted: string) => {
      const schema: JsonObject = {
        ...(createObjectSchema({ kind, more: text }) as JsonObject),
        if: { properties: { kind: { const: wanted } }, required: ['kind'] },
        then: { required: ['more'] },
      };
      const { definitions } = await loadProject(
        createFormFiles({ schema, ui: { fields: createTitledFields({ kind: 'K', more: 'M' }, { kind: names }) } }),
      );
      return definitions!.screenVersion('sample');
    };
    expect(await versionOf('a')).not.toBe(await versionOf('b'));
  });
});

describe('[ENG-15] texts in a schema', () => {
  const schema = createObjectSchema({
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
      items: { ...createObjectSchema({ name: { ...text, title: 'Nombre' } }, ['name']), title: 'Uno' },
    },
    place: { ...createObjectSchema({ town: { ...text, title: 'Ciudad' } }), title: 'Lugar' },
  });

  test('are used where ui.json has none', async () => {
    const { definitions, problems } = await loadProject(
      createFormFiles({ schema, ui: { fields: createTitledFields({ drink: 'Trago' }) } }),
    );
    expect(problems).toEqual([]);
    expect(definitions?.ui('sample', 'es').fields).toEqual({
      drink: { 'ui:title': 'Trago', 'ui:help': 'Una', 'ui:enumNames': ['Té', 'Mate'] },
      list: { 'ui:title': 'Lista', items: { 'ui:title': 'Uno', name: { 'ui:title': 'Nombre' } } },
      place: { 'ui:title': 'Lugar', town: { 'ui:title': 'Ciudad' } },
    });
  });

  test('are rejected in a project with several languages, which needs them in ui.json', async () => {
    const files = createFormFiles({ schema, ui: {} });
    const { problems } = await loadProject({
      ...files,
      'schemas/_shared/messages.pt.json': files['schemas/_shared/messages.json'],
      'schemas/sample/ui.pt.json': {},
      'schemas/done/ui.pt.json': {},
    });
    const told = problems.map(({ message }) => message);
    expect(told).toContain('"oneOf" is not allowed in a field.');
    expect(told).toContain('The field "place.town" has no "ui:title".');
  });
});

describe('[ENG-15] unsupported grid of rjsf', () => {
  const row = (children: readonly unknown[]) => ({ 'ui:row': { children } });
  const col = (...children: readonly unknown[]) => ({ 'ui:col': { xs: 4, children } });

  test.each([
    ['three fields beside each other', row([col('a'), col('b'), col('c')])],
    ['two fields in a column', row([col('a', 'b'), col('c')])],
    ['a missing field', row([col('a'), col('b')])],
    ['an unknown field of the grid', row([col(row(['a', 'b'])), col('c'), col('d')])],
    ['a condition', row(['a', 'b', { 'ui:condition': { field: 'a', value: 'x', children: ['c'] } }])],
  ])('is rejected with %s', async (_, grid) => {
    const schema = createObjectSchema({ a: text, b: text, c: text });
    const fields = {
      'ui:field': 'LayoutGridField',
      'ui:layoutGrid': grid,
      ...createTitledFields({ a: 'A', b: 'B', c: 'C' }),
    };
    const { problems } = await loadProject(createFormFiles({ schema, ui: { fields } }));
    expect(problems.map(({ pointer }) => pointer)).toEqual(['/fields/ui:field', '/fields/ui:layoutGrid']);
  });
});
