import { describe, expect, test } from 'vitest';
import type { DefinitionProblem } from '../../src/engine/compiler/definitions.ts';
import { toUnicodePattern } from '../../src/engine/compiler/json-schema/normalize-schema.ts';
import { rejectedFields, acceptedFields } from './samples/foreign-schemas.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles, messages } from './support/sample-form.ts';

const text = { type: 'string', title: 'T' };
const createScreen = (properties: object) => ({ type: 'object', properties });

/** Positions of a field in a schema: a function that wraps the field, and the pointer to it. */
const places: readonly (readonly [name: string, schema: (field: object) => object, pointer: string])[] = [
  ['at the top', (field) => createScreen({ it: field }), '/properties/it'],
  [
    'in an object',
    (field) => createScreen({ group: { title: 'G', ...createScreen({ it: field }) } }),
    '/properties/group/properties/it',
  ],
  [
    'in the items of a list',
    (field) => {
      const items = { title: 'I', required: ['name'], ...createScreen({ name: text, it: field }) };
      return createScreen({ list: { type: 'array', title: 'L', maxItems: 3, items } });
    },
    '/properties/list/items/properties/it',
  ],
  [
    'in a definition',
    (field) => ({ ...createScreen({ it: { $ref: '#/$defs/it' } }), $defs: { it: field } }),
    '/$defs/it',
  ],
  [
    'in a part of "allOf"',
    (field) => ({ type: 'object', allOf: [createScreen({ it: field })] }),
    '/allOf/0/properties/it',
  ],
];

const languages = ['en', 'es'] as const;

async function problemsOf(schema: object, language: string, ui: object = {}): Promise<readonly string[]> {
  const catalogue = { ...messages, exclusiveMinimum: 'Más de {limit}' };
  const files = { ...createFormFiles({ schema, ui }), 'schemas/_shared/messages.json': catalogue };
  const { problems } = await loadProject(files, { language });
  return problems.map(formatProblem).toSorted();
}

function formatProblem({ file, pointer, message, hint, line, column }: DefinitionProblem): string {
  if (line < 1 || column < 1) throw new Error(`No place: ${message}`);
  return `${file.replace('schemas/sample/', '')} ${pointer}: ${message} ${hint}`;
}

describe('[ENG-21] schema written for another tool', () => {
  test.each(rejectedFields)('reports one cause once, with its remedy: $name', async ({ field, at, ...told }) => {
    for (const language of languages)
      expect(await problemsOf(createScreen({ it: field }), language)).toEqual([
        `schema.json /properties/it${at}: ${told[language]}`,
      ]);
  });

  test.each(places)('reports each of several causes once, %s', async (_, schemaOf, pointer) => {
    const schema = schemaOf({
      title: 'G',
      ...createScreen(Object.fromEntries(rejectedFields.map(({ field }, index) => [`f${index}`, field]))),
    });
    for (const language of languages) {
      const told = rejectedFields.map(
        (cause, index) => `schema.json ${pointer}/properties/f${index}${cause.at}: ${cause[language]}`,
      );
      expect(await problemsOf(schema, language)).toEqual(told.toSorted());
    }
  });

  test.each(places)('compiles the accepted equivalents, %s', async (_, schemaOf) => {
    const group = {
      title: 'G',
      ...createScreen(Object.fromEntries(acceptedFields.map(({ field }, index) => [`f${index}`, field]))),
    };
    expect(await problemsOf(schemaOf(group), 'en')).toEqual([]);
  });

  test.each([
    ['a reference to a field', { ...createScreen({ x: text, y: { $ref: '#/properties/x', title: 'Y' } }) }],
    [
      'a reference to a field in an object',
      createScreen({ g: { title: 'G', ...createScreen({ x: text }) }, y: { $ref: '#/properties/g/properties/x' } }),
    ],
    [
      'a reference to a field of a definition',
      { ...createScreen({ y: { $ref: '#/$defs/d/properties/x' } }), $defs: { d: createScreen({ x: text }) } },
    ],
    [
      'a reference by "$anchor"',
      { ...createScreen({ y: { $ref: '#here' } }), $defs: { d: { $anchor: 'here', ...text } } },
    ],
    ['a schema that is a reference', { $ref: '#/$defs/d', $defs: { d: createScreen({ x: text }) } }],
    ['a schema without "type"', { properties: { x: text } }],
  ])('compiles with %s', async (_, schema) => {
    expect(await problemsOf(schema, 'en')).toEqual([]);
  });

  test('suggests the most similar name for a misspelt reference', async () => {
    const schema = {
      ...createScreen({ y: { $ref: '#/$defs/adress' } }),
      $defs: { address: createScreen({ x: text }) },
    };
    expect(await problemsOf(schema, 'en')).toEqual([
      'schema.json /properties/y/$ref: The reference "#/$defs/adress" has no target. Did you mean "#/$defs/address"? Name a definition of this file, "#/$defs/…", or one of its fields, "#/properties/…".',
    ]);
  });

  test('reports an unknown reference in prefixItems once', async () => {
    const pair = { type: 'array', title: 'P', prefixItems: [{ title: 'T', $ref: '#/$defs/nothing' }], items: false };
    const problems = await problemsOf(createScreen({ pair }), 'en');
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'schema.json /properties/pair/prefixItems/0/$ref',
    ]);
  });

  test.each([
    ['a misspelt keyword', { type: 'object', propertis: { inner: text } }, '/propertis'],
    ['an unknown reference', { $ref: '#/$defs/nothing' }, '/$ref'],
    ['several types', { type: ['object', 'string'] }, '/type'],
  ])('reports nothing else that names a field that cannot be read: %s', async (_, field, at) => {
    const ui = {
      fields: { it: { inner: { 'ui:widget': 'textarea' } } },
      visible: { 'it.inner': { var: 'form.name' }, name: { '==': [{ var: 'form.it.inner' }, 'x'] } },
      messages: { 'it.inner': { required: 'Falta eso' } },
    };
    const schema = { ...createScreen({ name: text, it: field }), required: ['it'] };
    const problems = await problemsOf(schema, 'en', ui);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^schema.json /properties/it${at.replace('$', '\\$')}: `));
    const wrong = { ...ui, visible: { ...ui.visible, name: { var: 'form.other' } } };
    expect((await problemsOf(schema, 'en', wrong)).map((problem) => problem.split(': ')[0])).toEqual([
      `schema.json /properties/it${at}`,
      'ui.json /visible/name',
    ]);
  });
});

describe('[ENG-12] toUnicodePattern', () => {
  const samples = [...'aZ09_-.:@/ "\'{}[](),;!#%&=<>~`ñ\\|^$*+?'].flatMap((sign) => [
    sign,
    `a${sign}`,
    `${sign}a`,
    `a${sign}b`,
    `${sign}${sign}`,
  ]);

  test.each([
    ['^[A-Z]{2}\\-[0-9]{3}$', '^[A-Z]{2}-[0-9]{3}$'],
    ['^\\@\\w\\:\\ \\"\\\'$', '^@\\w: "\'$'],
    ['^[\\w-.]+$', '^[\\w\\-.]+$'],
    ['^[.-\\w]+$', '^[.\\-\\w]+$'],
    ['^[\\@\\_a]+$', '^[@_a]+$'],
    ['^a}]$', '^a\\}\\]$'],
    ['^{a}$', '^\\{a\\}$'],
    ['^\\_\\/\\.$', '^_\\/\\.$'],
    ['^a{1,2}\\-\\{$', '^a{1,2}-\\{$'],
  ])('rewrites %s for the flag u without a change of meaning', (pattern, mended) => {
    expect(toUnicodePattern(pattern)).toBe(mended);
    const [before, after] = [new RegExp(pattern), new RegExp(mended, 'u')];
    expect(samples.filter((sample) => before.test(sample) !== after.test(sample))).toEqual([]);
  });

  test.each(['^\\p{L}+$', '^[a-z\\-]$', '\\d', '(', '\\A', '[b-a]'])('leaves %s unchanged', (pattern) => {
    expect(toUnicodePattern(pattern)).toBe(pattern);
  });
});
