import { expect, test } from 'vitest';
import { checkValueTypes } from '../../src/cli/definitions/cases/case-value-types.ts';
import { parseSourceFile } from '../../src/engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../src/engine/compiler/sources/problem-collector.ts';

const schema = {
  type: 'object',
  properties: {
    edad: { type: 'integer' },
    precio: { type: 'number' },
    acepta: { type: 'boolean' },
    doc: { type: 'string' },
    temas: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    lugar: { type: 'object', properties: { piso: { type: 'integer' } } },
    hijos: { type: 'array', items: { type: 'object', properties: { edad: { type: ['integer', 'null'] } } } },
  },
};

function findWrongTypes(cases: object, data: object = {}): readonly string[] {
  const problems = new ProblemCollector('es');
  const file = parseSourceFile('tests/fixtures/form.json', Buffer.from(JSON.stringify({ data, cases })), problems);
  if (file) checkValueTypes(file, schema, () => 'Tipo.', problems);
  return problems.list.map(({ pointer, message, hint }) => `${pointer} ${message} ${hint}`);
}

const sent = (values: object, errors?: object) => ({ valid: { note: '', with: values, ...(errors && { errors }) } });

test.each([
  [
    'a whole number',
    { edad: '18' },
    'edad "edad" es un número entero, y "18" es un texto. Escribilo sin comillas: 18.',
  ],
  ['a number', { precio: '1.5' }, 'precio "precio" es un número, y "1.5" es un texto. Escribilo sin comillas: 1.5.'],
  ['a decimal as a whole number', { edad: 1.5 }, 'edad "edad" es un número entero, y 1.5 es un número. Escribí'],
  [
    'true or false',
    { acepta: 'true' },
    'acepta "acepta" es true o false, y "true" es un texto. Escribilo sin comillas',
  ],
  ['a text', { doc: 123 }, 'doc "doc" es un texto, y 123 es un número. Escribilo entre comillas: "123".'],
  ['a list', { temas: 'a' }, 'temas "temas" es una lista, y "a" es un texto. Escribí una lista: ["a"].'],
  ['an item of a list', { temas: ['a', 1] }, 'temas/1 "temas.1" es un texto, y 1 es un número.'],
  ['a field of an object', { lugar: { piso: '1' } }, 'lugar/piso "lugar.piso" es un número entero, y "1" es un texto.'],
  ['a field of an item', { hijos: [{ edad: null }, { edad: '2' }] }, 'hijos/1/edad "hijos.1.edad" es un número entero'],
])('[QA-03] checkValueTypes reports once a value that is not %s', (_, values, says) => {
  expect(findWrongTypes(sent(values))).toEqual([expect.stringContaining(`/cases/valid/with/${says}`)]);
  expect(findWrongTypes({}, values)).toEqual([expect.stringContaining(`/data/${says}`)]);
  expect(findWrongTypes({ own: { note: '', data: values } })).toEqual([expect.stringContaining(`/own/data/${says}`)]);
});

test('[QA-03] checkValueTypes accepts a value of another type only in a case that expects the error of its type', () => {
  expect(findWrongTypes(sent({ edad: '18' }, { edad: 'Tipo.' }))).toEqual([]);
  expect(findWrongTypes(sent({ edad: '200' }, { edad: 'No más de 120.' }))).toHaveLength(1);
  expect(findWrongTypes(sent({ edad: '18' }, { doc: 'Tipo.' }))).toHaveLength(1);
  expect(findWrongTypes(sent({ edad: 18, precio: '', acepta: false, doc: null, temas: [], otro: '1' }))).toEqual([]);
});
