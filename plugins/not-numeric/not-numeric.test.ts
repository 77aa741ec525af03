import { expect, test } from 'vitest';
import { rules } from './rule.ts';

test.each<[unknown, object | null, string]>([
  ['83920174', {}, 'digits'],
  ['٨٣٩٢٠١٧٤', {}, 'Arabic digits'],
  ['8392-0174', null, 'a hyphen'],
  ['8392017a', null, 'a letter'],
  ['', null, 'empty: the matter of required'],
  [83920174, null, 'no text: the matter of type'],
])('[CLAVE-06] %s gives %j (%s)', (value, expected) => {
  expect(rules[0]?.check({ value, form: {}, context: {}, parameters: true as never })).toEqual(expected);
});
