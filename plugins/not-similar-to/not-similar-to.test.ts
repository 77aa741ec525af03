import { describe, expect, test } from 'vitest';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules, computeTextSimilarity } from './rule.ts';

describe('computeSimilarity', () => {
  test.each([
    ['abcd', 'bcde', 0.75, 'three of four'],
    ['wikimedia', 'wikimania', 14 / 18, 'the textbook pair'],
    ['', '', 0, 'nothing'],
    ['abc', 'xyz', 0, 'nothing in common'],
    ['rosa', 'rosa', 1, 'equal'],
    ['abcdef', 'fedcba', 2 / 12, 'an anagram is not similar'],
  ])('compares %s and %s with the ratio %d (%s)', (a, b, expected) => {
    expect(computeTextSimilarity(a, b)).toBeCloseTo(expected, 10);
  });
});

/** Reference implementation of the specification's definition of similarity. */
function computeReferenceSimilarity(a: string, b: string): number {
  const findCommonSubstring = (left: string, right: string): number => {
    for (let size = Math.min(left.length, right.length); size > 0; size--)
      for (let from = 0; from + size <= left.length; from++) {
        const at = right.indexOf(left.slice(from, from + size));
        if (at < 0) continue;
        const before = findCommonSubstring(left.slice(0, from), right.slice(0, at));
        return before + size + findCommonSubstring(left.slice(from + size), right.slice(at + size));
      }
    return 0;
  };
  return a.length + b.length === 0 ? 0 : (2 * findCommonSubstring(a, b)) / (a.length + b.length);
}

test('computeSimilarity equals the Ratcliff-Obershelp ratio for all short texts of two or three letters', () => {
  const listTexts = (letters: string, length: number): readonly string[] =>
    length === 0
      ? ['']
      : ['', ...listTexts(letters, length - 1).flatMap((text) => [...letters].map((letter) => letter + text))];
  for (const [letters, length] of [
    ['abc', 4],
    ['ab', 6],
  ] as const) {
    const texts = [...new Set(listTexts(letters, length))];
    const other = texts.flatMap((a) =>
      texts.filter((b) => computeTextSimilarity(a, b) !== computeReferenceSimilarity(a, b)).map((b) => `${a} ${b}`),
    );
    expect(other).toEqual([]);
  }
});

const form = { email: 'juan.rodriguez@correo.com.uy', documento: '12345672', nombre: 'José María' };
const parameters = { fields: ['email', 'documento', 'nombre', 'vacio'], context: 'person', threshold: 0.7 };

describe('[CLAVE-06] notSimilarTo rule', () => {
  test.each<[unknown, object | null, string]>([
    ['rodriguez', {}, 'a part of the address'],
    ['Rodríguez1', {}, 'a part with other case, accent and a digit'],
    ['juan.rodriguez@correo.com.uy', {}, 'the address'],
    ['x12345672', {}, 'the document'],
    ['josemaria', {}, 'both names: 18 of 19 characters'],
    ['Fernández9', {}, 'a name of the record'],
    ['azul-lluvia-tren', null, 'unrelated'],
    ['juan12345678', null, 'a short part is below the threshold'],
    [7, null, 'not a string: left to the keyword type'],
  ])('checks the password %s and returns %j (%s)', (value, expected) => {
    const context = { person: { apellido: 'Fernández', edad: 40 } };
    expect(checkWithRule(rules, { value, form, context, parameters })).toEqual(expected);
  });

  test('accepts a ratio equal to the threshold', () => {
    const at = (threshold: number) =>
      checkWithRule(rules, { value: 'abcd', form: { n: 'bcde' }, parameters: { fields: ['n'], threshold } });
    expect(at(0.75)).toBeNull();
    expect(at(0.74)).toEqual({});
  });

  const names = ['primer_nombre', 'segundo_nombre', 'primer_apellido', 'segundo_apellido'];
  const person = {
    primer_nombre: 'Ana',
    segundo_nombre: 'Lucía',
    primer_apellido: 'Pereira',
    segundo_apellido: 'Sosa',
  };
  test.each([
    ['anapereirasosa', 'the names without the second'],
    ['anapereira', 'the first of each'],
    ['analuciapereirasosa', 'all'],
    ['pereirasosaana', 'surnames first'],
    ['sosaanalucia', 'begun anywhere'],
    ['Ana-Pereira-Sosa1', 'with signs and a digit'],
  ])('rejects the password %s, made of the names of the person: %s', (value) => {
    const known = { fields: [], context: 'person', names, threshold: 0.7 };
    expect(checkWithRule(rules, { value, context: { person }, parameters: known })).toEqual({});
    expect(checkWithRule(rules, { value, form: person, parameters: { ...known, fields: names } })).toEqual({});
    expect(checkWithRule(rules, { value: 'lluvia-tren-azul', context: { person }, parameters: known })).toBeNull();
  });

  test('compares the password with the local part of the email address without its separators', () => {
    const known = { form: { email: 'ana.pereira.sosa@correo-de-la-empresa.com.uy' }, parameters };
    expect(checkWithRule(rules, { value: 'anapereirasosa', ...known })).toEqual({});
  });

  test('rejects a value that equals the long compatibility decomposition of one character', () => {
    const value = 'صلى الله عليه وسلم';
    expect(
      checkWithRule(rules, { value, form: { n: '\ufdfa' }, parameters: { fields: ['n'], threshold: 0.7 } }),
    ).toEqual({});
  });

  test('depends on the fields of its parameters', () => {
    expect(readRuleFields(rules, parameters).reads).toEqual(parameters.fields);
  });
});
