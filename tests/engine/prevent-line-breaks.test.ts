import { expect, test } from 'vitest';
import { preventLineBreaks, preventLineBreaksInProse } from '../../src/engine/core/messages.ts';

test.each([
  ['o seu e-mail. E-mails novos', 'o seu e-|mail. E-|mails novos'],
  [
    'de e-mail@casa.uy, e-mail-2@casa.uy, ana.e-mail@casa.uy',
    'de e-mail@casa.uy, e-mail-2@casa.uy, ana.e-mail@casa.uy',
  ],
  ['/e-mailing e on-line', '/e-mailing e on-line'],
])(
  'preventLineBreaksInProse prevents line breaks after the hyphen of a word, and leaves addresses unchanged: %s',
  (sentence, drawn) => {
    expect(preventLineBreaksInProse(sentence)).toBe(drawn.replaceAll('|', '\u2060'));
  },
);

test.each([
  ['llamá al +598 999 999 99 hoy', 'llamá al +598_999_999_99 hoy'],
  ['27/11/2026, 10:30 hs (hora oficial)', '27/11/2026, 10:30_hs (hora oficial)'],
  ['la Ley N.º 18.331 y la Lei nº 18.331', 'la Ley N.º_18.331 y la Lei nº_18.331'],
  ['a 5 9 2', 'a 5_9_2'],
  ['de 3 a 5 horas, 24 horas', 'de 3 a 5 horas, 24 horas'],
])('preventLineBreaks prevents line breaks inside a number: %s', (sentence, drawn) => {
  expect(preventLineBreaks(sentence)).toBe(drawn.replaceAll('_', '\u00a0'));
});
