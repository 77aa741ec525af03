import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/engine/core/json.ts';
import { evaluateJsonLogic, evaluateComputedField } from '../../src/engine/core/json-logic.ts';
import { loadProject } from './support/project.ts';
import { createFormFiles } from './support/sample-form.ts';
import { createTitledFields } from './samples/sample-types.ts';

const v = (name: string) => ({ var: `form.${name}` });

async function check(schema: object, visible: object = {}) {
  const names = Object.keys((schema as { readonly properties: object }).properties);
  const ui = { fields: createTitledFields(Object.fromEntries(names.map((name) => [name, name]))), visible };
  const { definitions, problems } = await loadProject(createFormFiles({ schema, ui } as never));
  if (!definitions) throw new Error(JSON.stringify(problems, null, 1));
  return (values: object) => definitions.check('sample', values as never, { language: 'es', context: {} });
}

describe('[ENG-20] fields without an input', () => {
  test.each([
    ['<', 18, 40, 7],
    ['<=', 0, 5, 0],
    ['>=', 18, 7, 40],
    ['>', -1, -3, 0],
  ])('does not apply the rule %s %d before the field has a value', async (operator, limit, other, fitting) => {
    const validate = await check(
      { type: 'object', required: ['tutor'], properties: { edad: { type: 'integer' }, tutor: { type: 'string' } } },
      { tutor: { [operator]: [v('edad'), limit] } },
    );
    expect(validate({}).errors).toEqual({});
    expect(validate({ edad: other }).errors).toEqual({});
    expect(Object.keys(validate({ edad: fitting }).errors)).toEqual(['tutor']);
  });

  test('computes no value if one of its inputs is missing', async () => {
    const number = { type: 'number' };
    const text = { type: 'string' };
    const validate = await check({
      type: 'object',
      properties: {
        ...{ a: number, b: number, codigo: text },
        ...{
          pre: text,
          sr: text,
          resta: number,
          menor: number,
          mayor: number,
          div: number,
          resto: number,
          negado: number,
        },
      },
      computed: {
        pre: { substr: [v('codigo'), 0, 4] },
        sr: { cat: ['Sr. ', v('codigo')] },
        resta: { '-': [v('a'), v('b')] },
        menor: { min: [v('a'), v('b')] },
        mayor: { max: [v('a'), v('b')] },
        div: { '/': [v('a'), v('b')] },
        resto: { '%': [v('a'), v('b')] },
        negado: { '-': [v('a')] },
      },
    });
    for (const [sent, data] of [
      [{}, {}],
      [{ a: 5 }, { a: 5, negado: -5 }],
      [{ b: 3 }, { b: 3 }],
      [
        { a: 6, b: 4, codigo: 'ABCDE' },
        ...[
          {
            a: 6,
            b: 4,
            codigo: 'ABCDE',
            pre: 'ABCD',
            sr: 'Sr. ABCDE',
            resta: 2,
            menor: 4,
            mayor: 6,
            div: 1.5,
            resto: 2,
            negado: -6,
          },
        ],
      ],
      [
        { a: 0, b: 3 },
        { a: 0, b: 3, resta: -3, menor: 0, mayor: 3, div: 0, resto: 0, negado: -0 },
      ],
    ] as const)
      expect(validate(sent)).toEqual({ data, errors: {} });
  });

  test('evaluate leaves a missing part out of a text, and evaluateComputedField returns null without any part', () => {
    const rule: Json = { cat: ['a', { var: 'x' }, { formatDate: [{ var: 'y' }, 'DD/MM/YYYY'] }] };
    expect([evaluateJsonLogic(rule, {}), evaluateComputedField(rule, {}), evaluateJsonLogic(rule, {})]).toEqual([
      'a',
      null,
      'a',
    ]);
    expect(evaluateComputedField(rule, { x: 'b', y: '2026-12-01' })).toBe('ab01/12/2026');
    expect(evaluateComputedField({ cat: [{ var: 'x' }, ''] }, { x: 5 }), 'an empty string is a value').toBe('5');
  });
});
