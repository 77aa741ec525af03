import { expect, test } from 'vitest';
import { deriveKeyFromLabel } from './definition-set.ts';

test.each([
  ['Número de trámite', '_', [], 'numero_de_tramite'],
  ['¿Cómo te llamás?', '_', [], 'como_te_llamas'],
  ['Año', '_', ['ano'], 'ano_2'],
  [
    'Preparate para la llamada',
    '-',
    ['preparate-para-la-llamada', 'preparate-para-la-llamada-2'],
    'preparate-para-la-llamada-3',
  ],
  ['¡!', '_', [], ''],
] as const)(
  '[EST-10] deriveKey of %j with the joint %j and the taken keys %j returns %j',
  (text, joint, taken, key) => {
    expect(deriveKeyFromLabel(text, joint, taken)).toBe(key);
  },
);
