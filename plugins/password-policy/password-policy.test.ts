import { describe, expect, test } from 'vitest';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

describe('[CLAVE-09] passwordPolicy', () => {
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
      'what it asks for is told',
    ],
    ['azul', null, null, 'nothing is configured'],
    [7, strict, null, 'no text: the matter of type'],
  ])('%s with %j gives %j (%s)', (value, passwordPolicy, expected) => {
    expect(checkWithRule(rules, { value, parameters: true, context: { passwordPolicy } })).toEqual(expected);
  });

  test('a screen whose context says nothing lets everything through', () => {
    expect(checkWithRule(rules, { value: 'azul', parameters: true })).toBeNull();
  });
});
