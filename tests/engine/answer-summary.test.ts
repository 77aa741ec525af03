import { expect, test } from 'vitest';
import { formatAnswer } from '../../src/engine/core/answer-summary.ts';
import { createFieldSpec } from './support/field-spec.ts';

test.each([
  [`data:application/pdf;name=recibo%20%C3%B1.pdf;base64,${'A'.repeat(80_000)}`, 'recibo ñ.pdf (60 kB)'],
  ['data:text/plain;name=100%.txt;base64,cGFpZA==', '100%.txt (1 kB)'],
  ['data: no es un archivo', 'data: no es un archivo'],
])('[ENG-10] review shows a file as its name and size, and any other text unchanged (case %#)', (value, shown) => {
  const field = createFieldSpec('recibo');
  const words = { ticked: 'Sí', empty: 'No' };
  expect(formatAnswer(field, { ui: { title: 'Recibo' }, language: 'es' }, value, words)).toBe(shown);
});
