import { describe, expect, test } from 'vitest';
import { findJsonExcess } from '../../../src/server/platform/http/json-parser.ts';

const list = (length: number) => `[${'0,'.repeat(length)}0]`;

describe('[SEG-04] the size of a JSON text, before it is parsed', () => {
  test.each<[string, string, ReturnType<typeof findJsonExcess>]>([
    ['sixteen levels', '['.repeat(16), null],
    ['seventeen levels', '['.repeat(17), 'depth'],
    ['objects and arrays by turns', '{"a":['.repeat(9), 'depth'],
    ['many levels side by side', '[[[]],[[]]],'.repeat(400), null],
    ['as many values as fit', list(9_999), null],
    ['one more', list(10_000), 'parts'],
    ['as many names', `{${'"a":0,'.repeat(5_001)}`, 'parts'],
    ['empty objects', '{},'.repeat(5_001), 'parts'],
    ['brackets and commas inside of a text', JSON.stringify({ a: '[,:{'.repeat(20_000) }), null],
    ['behind an escaped quotation mark', JSON.stringify({ a: `"${'['.repeat(40)}` }), null],
    ['behind an escaped backslash', `{"a":"\\\\",${'['.repeat(20)}`, 'depth'],
    ['a text without an end', `"${'['.repeat(40)}`, null],
    ['nothing', '', null],
  ])('%s', (_, text, fault) => {
    expect(findJsonExcess(text)).toBe(fault);
  });
});
