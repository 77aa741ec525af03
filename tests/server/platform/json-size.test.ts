import { describe, expect, test } from 'vitest';
import { findJsonExcess } from '../../../src/server/platform/http/json-parser.ts';

const list = (length: number) => `[${'0,'.repeat(length)}0]`;

describe('[SEG-04] findJsonExcess', () => {
  test.each<[string, string, ReturnType<typeof findJsonExcess>]>([
    ['accepts sixteen levels', '['.repeat(16), null],
    ['rejects seventeen levels', '['.repeat(17), 'depth'],
    ['counts alternating objects and arrays as levels', '{"a":['.repeat(9), 'depth'],
    ['accepts many shallow arrays side by side', '[[[]],[[]]],'.repeat(400), null],
    ['accepts 10,000 values', list(9_999), null],
    ['rejects 10,001 values', list(10_000), 'parts'],
    ['counts property names as parts', `{${'"a":0,'.repeat(5_001)}`, 'parts'],
    ['counts empty objects as parts', '{},'.repeat(5_001), 'parts'],
    ['ignores brackets and commas inside a string', JSON.stringify({ a: '[,:{'.repeat(20_000) }), null],
    ['ignores brackets after an escaped quotation mark in a string', JSON.stringify({ a: `"${'['.repeat(40)}` }), null],
    ['counts brackets after a string that ends with an escaped backslash', `{"a":"\\\\",${'['.repeat(20)}`, 'depth'],
    ['ignores brackets in an unterminated string', `"${'['.repeat(40)}`, null],
    ['accepts an empty text', '', null],
  ])('%s', (_, text, fault) => {
    expect(findJsonExcess(text)).toBe(fault);
  });
});
