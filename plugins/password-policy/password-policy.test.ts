import { describe, expect, test } from 'vitest';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

describe('[CLAVE-09] passwordPolicy rule', () => {
  const strict = { pattern: '^(?=.*\\p{Lu}).{12,}$', text: '' };
  test.each<[unknown, object | null, object | null, string]>([
    ['Azul-lluvia-tren', strict, null, 'matches'],
    ['azul-lluvia-tren', strict, {}, 'no capital'],
    ['ÑANDÚ-en-la-lluvia', strict, null, 'letters of any script, by the u flag'],
    ['Azul', strict, {}, 'too short'],
    [
      'azul',
      { ...strict, text: 'doce letras' },
      { reason: 'described', values: { text: 'doce letras' } },
      'the error describes the policy',
    ],
    ['azul', null, null, 'nothing is configured'],
    [7, strict, null, 'not a string: left to the keyword type'],
  ])('checks %s against the policy %j and returns %j (%s)', (value, passwordPolicy, expected) => {
    expect(checkWithRule(rules, { value, parameters: true, context: { passwordPolicy } })).toEqual(expected);
  });

  test('accepts every password if the context has no policy', () => {
    expect(checkWithRule(rules, { value: 'azul', parameters: true })).toBeNull();
  });
});
