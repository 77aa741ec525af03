import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

const parameters = { fields: ['rostro', 'documento'], when: { field: 'para', is: 'aprobar' } };

describe('[DESK-04] tickedWhen', () => {
  test.each<[object, object | null, string]>([
    [{}, null, 'nothing is asked for yet'],
    [{ para: 'rechazar' }, null, 'another value'],
    [{ para: 'aprobar' }, {}, 'no box'],
    [{ para: 'aprobar', rostro: true }, {}, 'one box of two'],
    [{ para: 'aprobar', rostro: true, documento: false }, {}, 'a box that was cleared'],
    [{ para: 'aprobar', rostro: true, documento: 'true' }, {}, 'a text is no tick'],
    [{ para: 'aprobar', rostro: true, documento: true }, null, 'all of them'],
  ])('%j gives %j (%s)', (form, expected) => {
    expect(checkWithRule(rules, { parameters, form: { ...form } })).toEqual(expected);
  });

  test('reads its fields and speaks on none', () => {
    expect(readRuleFields(rules, parameters)).toEqual({ reads: ['rostro', 'documento', 'para'], target: undefined });
  });
});
