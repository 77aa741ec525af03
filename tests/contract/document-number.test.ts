import { describe, expect, test } from 'vitest';
import { canonicalizeDocumentNumber, findDocumentNumberProblem } from '../../src/contract/document-number.ts';

describe('[VAL-05] document number', () => {
  test.each([
    ['k2986396', 'K2986396', 'lower case'],
    ['\u212a2986396', 'K2986396', 'the Kelvin sign'],
    ['Ｋ２９８', 'K298', 'full width'],
    ['12.345.678-K', '12345678K', 'separators'],
    [' K 298\n', 'K298', 'blanks'],
    ['K\u200b29\u200f8', 'K298', 'invisible characters'],
    ['ﬁ1', 'FI1', 'a ligature'],
    ['²', '2', 'a raised digit'],
    ['\u0410123', '123', 'a Cyrillic letter is not Latin'],
    ['ß\u0131', '', 'letters whose upper case only looks Latin'],
    ['😀', '', 'an emoji'],
  ])('%j is canonicalized to %j (%s)', (number, written) => {
    expect(canonicalizeDocumentNumber(number)).toBe(written);
    expect(canonicalizeDocumentNumber(written)).toBe(written);
  });

  test.each([
    ['K2986396', null],
    ['\u212a2986396', null],
    ['２９８', null],
    ['12.345.678', null],
    ['AB 12', null],
    ['12-345', 'separators'],
    ['１２－３４５', 'separators'],
    ['\u0410123', 'invalid'],
    ['K\u200b298', 'invalid'],
    ['K\u200f298', 'invalid'],
    ['K298\n', 'invalid'],
    ['K\u0000', 'invalid'],
    ['K😀', 'invalid'],
    ['\u0131', 'invalid'],
    [' ', 'invalid'],
    ['...', 'invalid'],
    ['', 'invalid'],
  ])('%j is validated with the problem %j', (number, problem) => {
    expect(findDocumentNumberProblem(number)).toBe(problem);
  });
});
