import { describe, expect, test } from 'vitest';
import { computeCheckDigit, findUruguayanIdProblem } from './check-digit.ts';
import { readRuleFields, checkWithRule } from '../../tests/plugins/check-with-rule.ts';
import { rules } from './rule.ts';

const parameters = { country: 'pais', type: 'tipo', number: 'numero' };

function checkNumber(pais: unknown, tipo: unknown, numero: unknown) {
  const form = { pais, tipo, numero };
  return checkWithRule(rules, { value: form, form, parameters });
}

describe('[VAL-04] findUruguayanIdProblem', () => {
  test.each<[string, string | null, string]>([
    ['12345672', null, 'the example of the weights'],
    ['11111111', null, 'weighted sum 39, check digit 1'],
    ['1234561', null, 'seven digits are padded with a zero'],
    ['01234561', null, 'the same number with its zero'],
    ['12345670', 'invalid', 'wrong check digit'],
    ['21345672', 'invalid', 'swapped digits'],
    ['123456721', 'invalid', 'nine digits'],
    ['00000000', 'invalid', 'only zeros, although their check digit is correct'],
    ['1.234.567-2', 'separators', 'dots and hyphen'],
    ['1234567 2', 'separators', 'blank'],
    ['1234567a', 'invalid', 'letter'],
    ['１２３４５６７２', 'invalid', 'full-width digits'],
    ['', 'invalid', 'nothing'],
  ])('checks the ID %s and returns %s (%s)', (number, expected) => {
    expect(findUruguayanIdProblem(number)).toBe(expected);
  });

  test('rejects every ID with one changed digit, unless its check digit remains correct', () => {
    const valid = '12345672';
    for (let at = 0; at < valid.length; at++)
      for (let digit = 0; digit < 10; digit++) {
        const changed = valid.slice(0, at) + digit + valid.slice(at + 1);
        // with an even weight, two different digits in the same position can give the same check digit
        const shares = at < 7 && computeCheckDigit(changed.slice(0, 7)) === 2;
        if (changed !== valid && !shares) expect(findUruguayanIdProblem(changed)).toBe('invalid');
      }
  });
});

describe('[VAL-04 VAL-05 ACT-06 CFG-05] documentNumber rule', () => {
  test.each<[unknown, unknown, unknown, object | null, string]>([
    ['uy', 'ci', '12345672', null, 'valid ID'],
    ['uy', '68909', '12345672', null, 'valid ID under the numeric code'],
    ['uy', '68909', '12345670', {}, 'the numeric code is checked as well'],
    ['uy', 'ci', '12345670', {}, 'wrong check digit'],
    ['uy', 'ci', '1.234.567-2', { reason: 'separators' }, 'written with separators'],
    ['uy', 'psp', 'C123456', null, 'Uruguayan passport has no check digit'],
    ['ar', 'dni', '12345670', null, 'foreign document'],
    ['ar', 'ci', '12345670', null, 'ci of another country'],
    ['ar', 'dni', '12-345', { reason: 'separators' }, 'foreign document with a hyphen'],
    ['br', 'rg', '12.345.678', null, 'dots are allowed abroad'],
    ['uy', 'ci', undefined, null, 'empty: left to the keyword required'],
    ['uy', 'ci', 5, null, 'not a string: left to the keyword type'],
  ])('checks country %s, type %s and number %s, and returns %j (%s)', (pais, tipo, numero, expected) => {
    expect(checkNumber(pais, tipo, numero)).toEqual(expected);
  });

  test('reports its error at the number field and depends on the country and the type', () => {
    expect(readRuleFields(rules, parameters)).toEqual({ target: 'numero', reads: ['pais', 'tipo'] });
  });
});
