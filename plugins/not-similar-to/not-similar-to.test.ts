import { describe, expect, test } from 'vitest';
import { fieldsOf, judge } from '../../tests/plugins/judge.ts';
import { rules } from './rule.ts';
import { similarity } from './similarity.ts';

describe('Ratcliff-Obershelp', () => {
  test.each([
    ['abcd', 'bcde', 0.75, 'three of four'],
    ['wikimedia', 'wikimania', 14 / 18, 'the textbook pair'],
    ['', '', 0, 'nothing'],
    ['abc', 'xyz', 0, 'nothing in common'],
    ['rosa', 'rosa', 1, 'equal'],
    ['abcdef', 'fedcba', 2 / 12, 'an anagram is no likeness'],
  ])('%s and %s: %d (%s)', (a, b, expected) => {
    expect(similarity(a, b)).toBeCloseTo(expected, 10);
  });
});

const form = { email: 'juan.rodriguez@correo.com.uy', documento: '12345672', nombre: 'José María' };
const parameters = { fields: ['email', 'documento', 'nombre', 'vacio'], context: 'person', threshold: 0.7 };

describe('[CLAVE-06] notSimilarTo', () => {
  test.each<[unknown, object | null, string]>([
    ['rodriguez', {}, 'a part of the address'],
    ['Rodríguez1', {}, 'a part with other case, accent and a digit'],
    ['juan.rodriguez@correo.com.uy', {}, 'the address'],
    ['x12345672', {}, 'the document'],
    ['josemaria', {}, 'both names: 18 of 19 characters'],
    ['Fernández9', {}, 'a name of the record'],
    ['azul-lluvia-tren', null, 'unrelated'],
    ['juan12345678', null, 'a short part alone is below the threshold'],
    [7, null, 'no text: the matter of type'],
  ])('%s gives %j (%s)', (value, expected) => {
    const context = { person: { apellido: 'Fernández', edad: 40 } };
    expect(judge(rules, { value, form, context, parameters })).toEqual(expected);
  });

  test('a ratio equal to the threshold passes', () => {
    const at = (threshold: number) =>
      judge(rules, { value: 'abcd', form: { n: 'bcde' }, parameters: { fields: ['n'], threshold } });
    expect(at(0.75)).toBeNull();
    expect(at(0.74)).toEqual({});
  });

  test('reads the fields that it names', () => {
    expect(fieldsOf(rules, parameters).reads).toEqual(parameters.fields);
  });
});
