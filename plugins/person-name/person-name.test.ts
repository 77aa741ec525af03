import { expect, test } from 'vitest';
import { checkBy } from '../../tests/plugins/check-by.ts';
import { rules } from './rule.ts';

test.each<[unknown, object | null, string]>([
  ['Núñez', null, 'accents as letters'],
  ['Nu\u0301n\u0303ez', null, 'the same, each accent a character of its own'],
  ["D'Ávila", null, 'an apostrophe'],
  ['d’Ávila', null, 'a typographic one'],
  ['María José', null, 'a blank'],
  ['García-Pérez', null, 'a hyphen'],
  ['Łukasz', null, 'a letter with a stroke'],
  ['Juan2', {}, 'a digit'],
  ['Per@ira', {}, 'a symbol'],
  [" -'", {}, 'no letter'],
  ['Ana\n', {}, 'a line break'],
  ['A\u0000na', {}, 'a control'],
  ['A\u0336n\u0336a\u0336', {}, 'struck through by overlays'],
  ['Z\u0351\u036b\u0343algo', {}, 'stacked accents'],
  ['Ana\u200b', {}, 'a zero-width space'],
  ['\u202eanA', {}, 'a change of direction'],
  ['\u3164', {}, 'a letter that nobody sees'],
  ['', {}, 'nothing; the browser sends none'],
  [5, null, 'no text: the matter of type'],
])('[VAL-03] the name %j gives %j (%s)', (value, expected) => {
  expect(checkBy(rules, { value, parameters: true })).toEqual(expected);
});
