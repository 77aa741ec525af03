import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { formatAjvError } from '../../src/engine/compiler/sources/standard-ajv.ts';

const errorText = (schema: object, value: unknown): { readonly es?: string; readonly english?: string } => {
  const validate = new Ajv2020({ strict: false, formats: { date: /^\d+$/ } }).compile(schema);
  validate(value);
  const [error] = validate.errors ?? [];
  return error ? { ...formatAjvError(error), english: error.message ?? '' } : {};
};

test.each<[keyword: string, parameter: unknown, value: unknown]>([
  ['type', 'integer', 'a'],
  ['required', ['a'], {}],
  ['enum', ['a'], 'b'],
  ['const', 'a', 'b'],
  ['pattern', '^a', 'b'],
  ['format', 'date', 'b'],
  ['minLength', 1, ''],
  ['maxLength', 1, 'bb'],
  ['minimum', 2, 1],
  ['maximum', 0, 1],
  ['exclusiveMinimum', 1, 1],
  ['exclusiveMaximum', 1, 1],
  ['multipleOf', 2, 1],
  ['minItems', 1, []],
  ['maxItems', 0, [1]],
  ['uniqueItems', true, [1, 1]],
  ['contains', { type: 'string' }, [1]],
  ['prefixItems', [{ type: 'string' }], [1]],
  ['unevaluatedItems', false, [1]],
  ['minProperties', 1, {}],
  ['maxProperties', 0, { a: 1 }],
  ['additionalProperties', false, { a: 1 }],
  ['unevaluatedProperties', false, { a: 1 }],
  ['propertyNames', { minLength: 2 }, { a: 1 }],
  ['dependentRequired', { a: ['b'] }, { a: 1 }],
  ['not', {}, 1],
  ['anyOf', [false], 1],
  ['oneOf', [false], 1],
  ['allOf', [false], 1],
  ['if', true, 1],
])('[ANA-02] an error of the keyword "%s" is explained in Spanish', (keyword, parameter, value) => {
  const { es, english } = errorText({ [keyword]: parameter, ...(keyword === 'if' && { then: false }) }, value);
  expect(es).toMatch(/^(?:tiene que|no puede|está|no |falta)/);
  expect(es).not.toBe(english);
});
