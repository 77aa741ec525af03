import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

describe('[VAL-02 CLAVE-06] matches', () => {
  test.each<[string, unknown, unknown, object | null, string]>([
    ['a@x.uy', 'a@x.uy', 'otro', null, 'alike'],
    ['a@x.uy', 'b@x.uy', 'otro', {}, 'different'],
    ['A@x.uy', 'a@x.uy', 'otro', {}, 'letter case counts'],
    ['a', undefined, 'otro', {}, 'the other is empty'],
    ['a', 'b', { field: 'otro', reason: 'email' }, { reason: 'email' }, 'kind of message'],
    ['a', 'a', { field: 'otro', reason: 'email' }, null, 'alike, with a kind'],
  ])('%s and %s by %j give %j (%s)', (value, otro, parameters, expected) => {
    expect(checkWithRule(rules, { value, form: { otro }, parameters })).toEqual(expected);
  });

  test('reads the other field', () => {
    expect(readRuleFields(rules, 'otro').reads).toEqual(['otro']);
    expect(readRuleFields(rules, { field: 'otro' }).reads).toEqual(['otro']);
  });
});
