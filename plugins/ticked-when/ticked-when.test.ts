import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

const parameters = { fields: ['rostro', 'documento'], when: { field: 'para', is: 'aprobar' } };

describe('[DESK-04] tickedWhen rule', () => {
  test.each<[object, object | null, string]>([
    [{}, null, 'the condition field is empty'],
    [{ para: 'rechazar' }, null, 'another value'],
    [{ para: 'aprobar' }, {}, 'no box'],
    [{ para: 'aprobar', rostro: true }, {}, 'one box of two'],
    [{ para: 'aprobar', rostro: true, documento: false }, {}, 'a box that was cleared'],
    [{ para: 'aprobar', rostro: true, documento: 'true' }, {}, 'a string instead of true'],
    [{ para: 'aprobar', rostro: true, documento: true }, null, 'all boxes'],
  ])('checks the form %j and returns %j (%s)', (form, expected) => {
    expect(checkWithRule(rules, { parameters, form: { ...form } })).toEqual(expected);
  });

  test('depends on its fields and its condition, and reports its error at none of them', () => {
    expect(readRuleFields(rules, parameters)).toEqual({ reads: ['rostro', 'documento', 'para'], target: undefined });
  });
});
