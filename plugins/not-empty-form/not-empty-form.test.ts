import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

describe('[CONT-06] notEmptyForm rule', () => {
  test.each<[object, object | null, string]>([
    [{}, {}, 'nothing at all'],
    [{ otro: 'x' }, {}, 'only a field that is not listed'],
    [{ caja: false }, {}, 'a box that is not ticked'],
    [{ texto: ' \n\u00A0' }, {}, 'blanks'],
    [{ texto: null, caja: undefined }, {}, 'no values'],
    [{ texto: 'x' }, null, 'a text'],
    [{ caja: true }, null, 'a ticked box'],
    [{ numero: 0 }, null, 'the number 0'],
  ])('checks the form %j and returns %j (%s)', (form, expected) => {
    expect(checkWithRule(rules, { parameters: ['texto', 'caja', 'numero'], form: { ...form } })).toEqual(expected);
  });

  test('depends on its fields and reports its error at none of them', () => {
    expect(readRuleFields(rules, ['texto', 'caja'])).toEqual({ reads: ['texto', 'caja'], target: undefined });
  });
});
