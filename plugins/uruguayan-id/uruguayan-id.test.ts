import { expect, test } from 'vitest';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

test.each<[unknown, object | null, string]>([
  ['12345672', null, 'valid'],
  ['12345670', {}, 'wrong check digit'],
  ['1.234.567-2', { reason: 'separators' }, 'separators'],
  [12345672, null, 'not a string: left to the keyword type'],
])('[LOG-03 VAL-04] uruguayanId rule checks %s and returns %j (%s)', (value, expected) => {
  expect(checkWithRule(rules, { value, parameters: true })).toEqual(expected);
});
