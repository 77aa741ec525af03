import { describe, expect, test } from 'vitest';
import {
  isMultipleOf,
  formatDecimal,
  parseExactNumber,
  parseLocalizedNumber,
  formatNumber,
} from '../../src/engine/core/values/numbers.ts';

const read = (typed: string, language: string, isInteger?: boolean) => {
  const { value, fault } = parseLocalizedNumber(typed, language, isInteger);
  return fault ?? value;
};

describe('[ENG-19] parseLocalizedNumber', () => {
  test.each<[string, number | string]>([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['1234', 1234],
    ['1.234', 1234],
    ['1 234', 1234],
    ['1\u00a0234', 1234],
    ['1\u202f234\u202f567', 1_234_567],
    ['12.345.678', 12_345_678],
    ['1.234,5', 1234.5],
    ['1234,5', 1234.5],
    ['1,234', 1.234],
    ['19,', 19],
    [',5', 0.5],
    [' 7 ', 7],
    ['-1.234,50', -1234.5],
    ['\u22125', -5],
    ['+5', 5],
    // A dot that cannot be a thousands separator is a decimal point, because some phone keyboards have no comma.
    ['1.5', 1.5],
    ['19.', 19],
    ['.25', 0.25],
    ['0.125', 0.125],
    ['1234.5678', 1234.5678],
    ['1.234.5', 'ambiguous'],
    ['1234.567', 'ambiguous'],
    ['0.123.456', 'ambiguous'],
    ['1,234.5', 'ambiguous'],
    ['1,234,567', 'ambiguous'],
    ['1..234', 'ambiguous'],
    ['1 23', 'number'],
    ['1 234.567', 'number'],
    ['1.234 567', 'number'],
    ['', 'number'],
    ['-', 'number'],
    [',', 'number'],
    ['--5', 'number'],
    ['0x10', 'number'],
    ['0b11', 'number'],
    ['0o7', 'number'],
    ['1e3', 'number'],
    ['1_000', 'number'],
    ['Infinity', 'number'],
    ['NaN', 'number'],
    ['doce', 'number'],
    ['$ 5', 'number'],
    ['\u0661', 'number'],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9.007.199.254.740.992', 'inexact'],
    ['9007199254740993', 'inexact'],
    ['-9007199254740993', 'inexact'],
    ['99999999999999999999', 'inexact'],
    ['0,1', 0.1],
    ['0,10', 0.1],
    ['0,12345678901234567', 'inexact'],
    ['1234567,891234567891', 'inexact'],
    ['9'.repeat(400), 'inexact'],
    ['9'.repeat(100_000), 'inexact'],
    [`0,${'0'.repeat(330)}1`, 'inexact'],
  ])('reads in Spanish and Portuguese %s as %s', (typed, expected) => {
    expect(read(typed, 'es')).toBe(expected);
    expect(read(typed, 'pt')).toBe(expected);
    const swapped = typed.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
    expect(read(swapped, 'en'), 'in English with swapped separators').toBe(expected);
  });

  test.each<[string, string, number | string]>([
    ['1.000', 'es', 1000],
    ['1,000', 'es', 'ambiguous'],
    ['12,345', 'es', 'ambiguous'],
    ['1,00', 'es', 1],
    ['0,500', 'es', 0.5],
    ['1,000', 'en', 1000],
    ['1.000', 'en', 'ambiguous'],
  ])('reads the integer %s in %s as %s', (typed, language, expected) =>
    expect(read(typed, language, true)).toBe(expected),
  );
});

test.each<[number, string, string]>([
  [1234.5, 'es', '1234,5'],
  [1234.5, 'pt', '1234,5'],
  [1234.5, 'en', '1234.5'],
  [1e-7, 'es', '0,0000001'],
  [-1.5e-7, 'es', '-0,00000015'],
  [1e21, 'es', '1000000000000000000000'],
  [-0, 'es', '0'],
  [5e-324, 'en', `0.${'0'.repeat(323)}5`],
])('[ENG-19] formatNumber writes %d in %s as %s, which parseLocalizedNumber reads back', (value, language, text) => {
  expect(formatNumber(value, language)).toBe(text);
  if (Math.abs(value) < 2 ** 53) expect(read(text, language)).toBe(value + 0);
});

test.each<[number, string, string]>([
  [1234567.891, 'es', '1.234.567,891'],
  [-1234567.891, 'pt', '-1.234.567,891'],
  [1234567.891, 'en', '1,234,567.891'],
  [1234, 'en', '1,234'],
])('[ENG-19] formatNumber writes %d with thousands separators in %s as %s', (value, language, text) => {
  expect(formatNumber(value, language, { grouped: true })).toBe(text);
});

test('[ENG-19] parseExactNumber returns an exact number or null, and formatDecimal writes no exponent', () => {
  expect(['12', '-1.50', '007', '0x10', '1e3', '', '.', '-', '1,5', '9007199254740993'].map(parseExactNumber)).toEqual([
    ...[12, -1.5, 7],
    ...Array.from({ length: 7 }, () => null),
  ]);
  expect([1e-7, 12.5, 1e21, -2.5e-8].map(formatDecimal)).toEqual([
    '0.0000001',
    '12.5',
    '1000000000000000000000',
    '-0.000000025',
  ]);
});

describe('[ENG-19] isMultipleOf', () => {
  test.each<[number, number, boolean]>([
    [143.48, 0.01, true],
    [1234567.89, 0.01, true],
    [-1234567.89, 0.01, true],
    [90071992547409.91, 0.01, true],
    [0.0100000001, 0.01, false],
    [1.005, 0.01, false],
    [0, 0.01, true],
    [19.99, 0.01, true],
    [0.3, 0.1, true],
    [1e-7, 1e-8, true],
    [1e-8, 1e-7, false],
    [1e300, 1e-300, true],
    [1e21, 7, false],
    [7e21, 7, true],
    [5, 2.5, true],
    [9, 3, true],
    [10, 3, false],
    [4.5, 3, false],
  ])('decides whether %d is a multiple of %d: %s', (value, divisor, expected) =>
    expect(isMultipleOf(value, divisor)).toBe(expected),
  );

  test('accepts every amount of cents as a multiple of 0.01', () => {
    const refused = Array.from({ length: 5000 }, (_, index) =>
      Number(`${1_000_000 + index * 7919}.${String(index % 100).padStart(2, '0')}`),
    ).filter((amount) => !isMultipleOf(amount, 0.01));
    expect(refused).toEqual([]);
  });
});
