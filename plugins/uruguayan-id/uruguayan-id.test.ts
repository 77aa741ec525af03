import { expect, test } from 'vitest';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

test.each<[unknown, object | null, string]>([
  ['12345672', null, 'valid'],
  ['12345670', {}, 'wrong check digit'],
  ['1.234.567-2', { reason: 'separators' }, 'separators'],
  [12345672, null, 'no text: the matter of type'],
])('[LOG-03 VAL-04] %s gives %j (%s)', (value, expected) => {
  expect(checkWithRule(rules, { value, parameters: true })).toEqual(expected);
});
