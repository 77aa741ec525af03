import { expect, test } from 'vitest';
import { checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

test.each<[unknown, object | null, string]>([
  ['83920174', {}, 'digits'],
  ['٨٣٩٢٠١٧٤', {}, 'Arabic digits'],
  ['8392-0174', null, 'a hyphen'],
  ['8392017a', null, 'a letter'],
  ['', null, 'empty: left to the keyword required'],
  [83920174, null, 'not a string: left to the keyword type'],
])('[CLAVE-06] notNumeric rule checks %s and returns %j (%s)', (value, expected) => {
  expect(checkWithRule(rules, { value, parameters: true })).toEqual(expected);
});
