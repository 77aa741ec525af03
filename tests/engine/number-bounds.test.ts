import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findOtherBounds } from '../../src/engine/compiler/lint/rules/texts/number-bounds.ts';
import type { WordingRules } from '../../src/engine/compiler/lint/wording/wording-faults.ts';
import { root } from '../architecture/source-texts.ts';

const glossary = JSON.parse(readFileSync(`${root}/src/brand/glossary.json`, 'utf8')) as Record<
  'es' | 'pt',
  WordingRules
>;
const find = (text: string, field: { readonly names?: readonly string[] } & object, language: 'es' | 'pt' = 'es') => {
  const { names = ['edad', 'Edad'], ...schema } = field;
  return findOtherBounds(
    text,
    { schema: { ...schema }, names, limits: Object.values(schema) as number[] },
    glossary[language],
  );
};
const adult = { minimum: 18 };

test.each([
  ['Tenés que ser mayor de 21 años.', adult, [21]],
  ['Tenés que ser mayor de 18 años.', adult, []],
  ['Tenés que ser mayor de 17 años.', adult, []],
  ['Al menos 17 años.', adult, [17]],
  ['Al menos 18 años.', { exclusiveMinimum: 17 }, []],
  ['Solo para menores de 30 años.', { maximum: 29 }, []],
  ['Solo para menores de 31 años.', { maximum: 29 }, [31]],
  ['Entre 18 y 70 años.', { minimum: 18, maximum: 65 }, [70]],
  ['Entre 18 y 65 años.', { minimum: 18, maximum: 65 }, []],
  ['21 años como mínimo.', adult, [21]],
  ['18 años o más.', adult, []],
  ['Entre 2 y 3 días te respondemos, en 48 horas como máximo.', adult, []],
  ['Hasta el 5 de mayo, a las 10:30.', adult, []],
  ['Hasta 3 personas mayores de 18 años.', { maxItems: 3, names: ['testigos', 'Testigos'] }, []],
  ['Hasta 5 personas.', { maxItems: 3, names: ['testigos', 'Testigos'] }, [5]],
  ['Hasta 3 archivos, de hasta 10 MB cada uno.', { maxItems: 3, names: ['archivos', 'Archivos'] }, []],
  ['Hasta 50.000 pesos.', { maximum: 40_000, names: ['monto', 'Monto'] }, [50_000]],
  ['Hasta 40.000 pesos.', { maximum: 40_000, names: ['monto', 'Monto'] }, []],
  ['Tené a mano 3 documentos.', adult, []],
])(
  '[QA-02] findOtherBounds compares the bounds that "%s" states with the limits of the field',
  (text, field, numbers) => {
    expect(find(text, field)).toEqual(numbers);
  },
);

test.each([
  ['Você deve ser maior de 21 anos.', [21]],
  ['No mínimo 21 anos.', [21]],
  ['A partir dos 18 anos, em até 5 dias.', []],
])('[QA-02] findOtherBounds reads the bounds of the Portuguese text "%s"', (text, numbers) => {
  expect(find(text, adult, 'pt')).toEqual(numbers);
});
