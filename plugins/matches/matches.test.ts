import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

describe('[VAL-02 CLAVE-06] matches rule', () => {
  test.each<[string, unknown, unknown, object | null, string]>([
    ['a@x.uy', 'a@x.uy', 'otro', null, 'alike'],
    ['a@x.uy', 'b@x.uy', 'otro', {}, 'different'],
    ['A@x.uy', 'a@x.uy', 'otro', {}, 'letter case counts'],
    ['a', undefined, 'otro', {}, 'the other is empty'],
    ['a', 'b', { field: 'otro', reason: 'email' }, { reason: 'email' }, 'kind of message'],
    ['a', 'a', { field: 'otro', reason: 'email' }, null, 'alike, with a kind'],
  ])('compares %s with %s for the parameters %j and returns %j (%s)', (value, otro, parameters, expected) => {
    expect(checkWithRule(rules, { value, form: { otro }, parameters })).toEqual(expected);
  });

  test('depends on the other field', () => {
    expect(readRuleFields(rules, 'otro').reads).toEqual(['otro']);
    expect(readRuleFields(rules, { field: 'otro' }).reads).toEqual(['otro']);
  });
});
