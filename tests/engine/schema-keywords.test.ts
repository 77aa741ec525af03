import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { typesByKeyword } from '../../src/engine/compiler/screen/schema-fields.ts';
import type { Json } from '../../src/engine/core/json.ts';
import type { LoadedScreen } from '../../src/engine/runtime/flow-services.ts';
import { importScreen } from './support/loaded-screens.ts';
import { sampleProject, loadProject, copyAsTranslation } from './support/project.ts';

interface Case {
  /** Keyword that the case tests. */
  readonly keyword: keyof typeof typesByKeyword;
  readonly schema: Readonly<Record<string, Json>>;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const text = { type: 'string', maxLength: 99 } as const;
const format = (name: string, valid: readonly string[], invalid: readonly string[]): Case => ({
  keyword: 'format',
  schema: { ...text, format: name },
  valid,
  invalid,
});

const cases: readonly Case[] = [
  {
    keyword: 'type',
    schema: text,
    valid: ['', 'a', '1', 'null', '😀'],
    invalid: [0, 1, 1.5, true, false, null, [], ['a'], {}, { a: 1 }],
  },
  {
    keyword: 'type',
    schema: { type: 'integer' },
    valid: [0, -3, 7, 1.0, 1e3, -0, 9007199254740991],
    invalid: [1.5, '1', '', null, true, [], {}, 0.1],
  },
  {
    keyword: 'type',
    schema: { type: 'number' },
    valid: [0, -3, 1.5, 1e300, -1e-9],
    invalid: ['1.5', '', null, false, [1], {}],
  },
  { keyword: 'type', schema: { type: 'boolean' }, valid: [true, false], invalid: [0, 1, 'true', '', null, [], {}] },
  {
    keyword: 'type',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    valid: [[], ['a'], ['b', 'a'], ['a', 'a']],
    invalid: ['a', null, {}, { 0: 'a', length: 1 }, 1, true],
  },
  {
    keyword: 'enum',
    schema: { type: 'string', enum: ['uno', 'dos', 'Ñ'] },
    valid: ['uno', 'dos', 'Ñ'],
    invalid: ['', 'Uno', 'uno ', 'tres', 'ñ', 'un', null, 1, ['uno']],
  },
  {
    keyword: 'enum',
    schema: { type: 'integer', enum: [0, 1, 5] },
    valid: [0, 1, 5, 5.0],
    invalid: [2, -1, '0', true, false, null],
  },
  {
    keyword: 'const',
    schema: { type: 'boolean', const: true },
    valid: [true],
    invalid: [false, 1, 'true', null, [true], {}],
  },
  {
    keyword: 'const',
    schema: { type: 'string', const: 'sí' },
    valid: ['sí'],
    invalid: ['si', 'Sí', 'sí ', '', null, 1],
  },
  { keyword: 'const', schema: { type: 'integer', const: 0 }, valid: [0, -0], invalid: [false, '', '0', 1, null] },
  {
    keyword: 'minLength',
    schema: { ...text, minLength: 2 },
    valid: ['ab', 'abc', '😀😀', 'ñá', '  '],
    invalid: ['', 'a', '😀', 'ñ'],
  },
  { keyword: 'minLength', schema: { ...text, minLength: 0 }, valid: ['', 'a'], invalid: [] },
  {
    keyword: 'maxLength',
    schema: { type: 'string', maxLength: 3 },
    valid: ['', 'abc', '😀😀😀', 'ñññ'],
    invalid: ['abcd', '😀😀😀😀', '    ', 'n\u0303an'],
  },
  { keyword: 'maxLength', schema: { type: 'string', maxLength: 0 }, valid: [''], invalid: ['a', ' '] },
  {
    keyword: 'pattern',
    schema: { ...text, pattern: '^[a-z]{2,3}$' },
    valid: ['ab', 'abc'],
    invalid: ['a', 'abcd', 'AB', 'ab1', '', 'ab\n'],
  },
  { keyword: 'pattern', schema: { ...text, pattern: '\\d' }, valid: ['1', 'a1b'], invalid: ['', 'abc', '１'] },
  {
    keyword: 'pattern',
    schema: { ...text, pattern: '^\\p{Letter}+$' },
    valid: ['ñandú', 'Ángel', '日本'],
    invalid: ['a b', 'a1', '', '😀'],
  },
  { keyword: 'pattern', schema: { ...text, pattern: '^.$' }, valid: ['a', '😀', 'ñ'], invalid: ['', 'ab', '😀😀'] },
  { keyword: 'minimum', schema: { type: 'number', minimum: 1.5 }, valid: [1.5, 2, 1e9], invalid: [1.49, 0, -2] },
  { keyword: 'minimum', schema: { type: 'integer', minimum: -2 }, valid: [-2, 0, 7], invalid: [-3, -100] },
  { keyword: 'maximum', schema: { type: 'number', maximum: 3 }, valid: [3, 2.99, -1e9], invalid: [3.01, 4] },
  { keyword: 'maximum', schema: { type: 'integer', maximum: 0 }, valid: [0, -1], invalid: [1, 50] },
  {
    keyword: 'exclusiveMinimum',
    schema: { type: 'number', exclusiveMinimum: 1.1 },
    valid: [1.2, 5],
    invalid: [1.1, 1, -1],
  },
  { keyword: 'exclusiveMinimum', schema: { type: 'integer', exclusiveMinimum: 0 }, valid: [1, 2], invalid: [0, -1] },
  {
    keyword: 'exclusiveMaximum',
    schema: { type: 'number', exclusiveMaximum: 3 },
    valid: [2.99, 0],
    invalid: [3, 3.01, 10],
  },
  { keyword: 'exclusiveMaximum', schema: { type: 'integer', exclusiveMaximum: 0 }, valid: [-1], invalid: [0, 1] },
  { keyword: 'multipleOf', schema: { type: 'integer', multipleOf: 3 }, valid: [0, 3, -6, 9], invalid: [1, 4, -5] },
  { keyword: 'multipleOf', schema: { type: 'number', multipleOf: 0.01 }, valid: [0, 0.5, 2], invalid: [0.001, 1.005] },
  {
    keyword: 'multipleOf',
    schema: { type: 'number', multipleOf: 0.5 },
    valid: [0, 1.5, 2, -0.5],
    invalid: [0.25, 1.1],
  },
  {
    keyword: 'items',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    valid: [[], ['a'], ['a', 'b']],
    invalid: [['c'], ['a', 'c'], [1], [null], [['a']], [{}]],
  },
  {
    keyword: 'minItems',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1 },
    valid: [['a'], ['a', 'b']],
    invalid: [[]],
  },
  {
    keyword: 'maxItems',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 2 },
    valid: [[], ['a', 'b']],
    invalid: [['a', 'b', 'c']],
  },
  {
    keyword: 'uniqueItems',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, uniqueItems: true },
    valid: [[], ['a'], ['a', 'b'], ['c', 'a']],
    invalid: [
      ['a', 'a'],
      ['a', 'b', 'a'],
      ['', ''],
    ],
  },
  {
    keyword: 'uniqueItems',
    schema: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: false },
    valid: [['a', 'a'], []],
    invalid: [],
  },
  format(
    'date',
    ['2026-11-22', '2024-02-29', '0001-01-01'],
    ['2026-02-29', '2026-13-01', '2026-1-1', '22/11/2026', '', 'x'],
  ),
  format('email', ['a@b.uy', 'ana.p+x@correo.com.uy'], ['a', 'a@', '@b.uy', 'a b@c.uy', '']),
  format('hostname', ['gub.uy', 'a', 'xn--nandu-ota.uy'], ['-a.uy', 'a..b', 'ñ.uy', '']),
  format('ipv4', ['127.0.0.1', '255.255.255.255'], ['256.0.0.1', '1.2.3', '1.2.3.4.5', 'x']),
  format('ipv6', ['::1', '2001:db8::ff00:42:8329'], [':::', '12345::', '1.2.3.4', 'x']),
  format('uri', ['https://www.gub.uy/a?b=c', 'urn:a:b', 'mailto:a@b.uy'], ['/a', 'a b', 'www', '']),
  format('uri-reference', ['/a', 'a?b', '#c', 'https://x.uy'], ['\\\\a', 'a b']),
  format('uuid', ['123e4567-e89b-12d3-a456-426614174000'], ['123e4567', '123e4567-e89b-12d3-a456-42661417400z', '']),
  format('regex', ['^a+$', '[a-z]'], ['[a', '(']),
  format('json-pointer', ['', '/a', '/a~1b/0'], ['a', '/a~2']),
];

const name = (index: number) => `field${index}`;
let screen: LoadedScreen;
beforeAll(async () => {
  const fields = Object.fromEntries(
    cases.map(({ schema }, index) => {
      const titles = (schema['items'] as { enum?: readonly string[] } | undefined)?.enum ?? schema['enum'];
      const names = Array.isArray(titles) ? { 'ui:enumNames': titles.map((title) => `x${String(title)}`) } : {};
      return [name(index), { 'ui:title': name(index), ...names }];
    }),
  );
  const actions = [{ event: 'submit', text: 'Seguir', primary: true }];
  const messages = Object.fromEntries(
    [...Object.keys(typesByKeyword), 'required', 'additionalProperties'].map((keyword) => [keyword, keyword]),
  );
  const { definitions, problems } = await loadProject({
    ...sampleProject,
    'schemas/_shared/messages.json': messages,
    'schemas/_shared/messages.pt.json': messages,
    'schemas/form/schema.json': {
      type: 'object',
      properties: Object.fromEntries(cases.map(({ schema }, index) => [name(index), schema])),
    },
    'schemas/form/ui.json': { title: 'F', fields, actions, notices: { again: { intent: 'info', text: 'x' } } },
    'schemas/form/ui.pt.json': copyAsTranslation({ title: 'F', fields, actions, notices: { again: { text: 'x' } } }),
    'flows/main.json': {
      id: 'main',
      initial: 'form',
      context: { query: ['email'] },
      states: {
        form: { path: '/form', screen: 'form', on: { submit: 'done' } },
        done: { path: '/done', screen: 'done' },
      },
    },
  });
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  screen = await importScreen(definitions, 'form');
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

describe('[ENG-12] compiled validator compared with Ajv', () => {
  test.each(cases.map((one, index) => [`${one.keyword} ${JSON.stringify(one.schema)}`, one, index] as const))(
    'agrees with it for %s',
    (_, { schema, valid, invalid }, index) => {
      const ours = screen.validator.values[name(index)]!;
      const theirs = ajv.compile(schema);
      for (const [values, verdict] of [
        [valid, true],
        [invalid, false],
      ] as const) {
        for (const value of values) {
          expect([value, ours(value)]).toEqual([value, verdict]);
          expect([value, theirs(value)]).toEqual([value, verdict]);
        }
      }
    },
  );

  test('is tested with valid and invalid values for every supported keyword', () => {
    const told = cases.filter(({ valid, invalid }) => valid.length > 0 && invalid.length > 0);
    expect(new Set(told.map(({ keyword }) => keyword))).toEqual(new Set(Object.keys(typesByKeyword)));
  });

  test('accepts decimal multiples that it rejects because of rounding', () => {
    const cents = cases.findIndex(({ schema }) => schema['multipleOf'] === 0.01);
    expect(screen.validator.values[name(cents)]!(19.99)).toBe(true);
    expect(ajv.validate({ multipleOf: 0.01 }, 19.99)).toBe(false);
  });
});
