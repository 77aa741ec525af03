import { describe, expect, test } from 'vitest';
import { normalizeTypedCode, cleanText } from '../../src/engine/core/cleaning/clean-text.ts';

describe('[ENG-18] cleanText', () => {
  test.each<[what: string, given: string, expected: string]>([
    ['a text that is already clean', 'ana@correo.uy', 'ana@correo.uy'],
    ['only blanks', ' \t\u00a0\u2003\u3000\u2800 ', ''],
    ['only zero-width characters', '\u200b\u200c\u200d\u2060\ufeff\u00ad', ''],
    ['line ends', '\r\n\u2028\n', ''],
    ['a zero-width space at the end', 'ana@correo.uy\u200b', 'ana@correo.uy'],
    ['a direction mark', '\u200eana@correo.uy\u202c', 'ana@correo.uy'],
    ['a control character', 'A\u0007na', 'Ana'],
    ['a no-break space', 'Ana\u00a0María', 'Ana María'],
    ['a tab and a line end', 'Ana\tMaría\r\nSosa', 'Ana María Sosa'],
    ['two blanks between words', 'Ana  María', 'Ana  María'],
    ['decomposed accents', 'jose\u0301 nin\u0303o', 'josé niño'],
    ['an accent behind an invisible character', 'jose\u200b\u0301', 'josé'],
    ['a letter without a composed form', 'Mang\u0303e', 'Mang\u0303e'],
    [
      'typographic apostrophes',
      'D’Ávila O‘Neill N\u02bcDour O\u2032Hara O＇Hara',
      "D'Ávila O'Neill N'Dour O'Hara O'Hara",
    ],
    ['accents as apostrophes', 'D´Ávila O`Neill', "D'Ávila O'Neill"],
    ['an accent that is not between letters', 'usá `npm` y ´', 'usá `npm` y ´'],
    ['a joiner of Persian', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['a joiner of Persian behind a vowel mark', 'عَلی\u064e\u200cرضا', 'عَلی\u064e\u200cرضا'],
    ['a joiner of Persian at the end', 'علی\u200c', 'علی'],
    ['two joiners', 'علی\u200c\u200c\u200bرضا', 'علی\u200cرضا'],
    ['a joiner of Hindi', 'क्\u200dष', 'क्\u200dष'],
    ['a joiner of Malayalam at the end', 'അവന്\u200d', 'അവന്\u200d'],
    ['a joiner between Latin letters', 'A\u200dna', 'Ana'],
    ['an emoji of a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['an emoji of a coloured heart', '❤\ufe0f\u200d🔥', '❤\ufe0f\u200d🔥'],
    ['an emoji of a keycap', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    [
      'the flag of Scotland',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    ['a variation selector behind a letter', 'A\ufe0fna', 'Ana'],
    ['a Hangul filler', '\u3164', ''],
  ])('cleans %s: %j becomes %j', (_, given, expected) => {
    expect(cleanText(given)).toBe(expected);
  });

  test('[ENG-18] keeps the line breaks of a multi-line text', () => {
    expect(cleanText('\n Hola,\u00a0Ana\r\n\u2028chau\u200b \n\n', { lines: true })).toBe('Hola, Ana\n\nchau');
    expect(cleanText('\n\n', { lines: true })).toBe('');
  });

  test('leaves a run of combining marks that is too long to normalize unchanged', () => {
    const run = `a${'\u0301\u0323'.repeat(20)}`;
    expect(cleanText(run)).toBe(run);
  });

  test('changes nothing when a text or a code is cleaned a second time', () => {
    const signs =
      ' \t\n\u00a0\u2000\u200b\u200c\u200d\ufe0f\u0301\u0323\u034f\u1fef\u1ffd\u0374aéA\u0130ŉß\u212a´’علि\u094dक😀1\u20e3\u{e0067}\u{1f3f4}-–';
    let seed = 7;
    const next = (most: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
    const all = [...signs];
    for (let round = 0; round < 5000; round += 1) {
      const text = Array.from({ length: 1 + next(7) }, () => all[next(all.length)]).join('');
      for (const clean of [cleanText, normalizeTypedCode, (one: string) => cleanText(one, { lines: true })])
        expect(clean(clean(text)), JSON.stringify(text)).toBe(clean(text));
    }
  });
});

test.each([
  ['123 456', '123456'],
  [' 123\u00a0456\n', '123456'],
  ['１２３ ４５６', '123456'],
  ['123–456', '123456'],
  ['zje98-a6caf', 'ZJE98A6CAF'],
  [' zje98 a6caf ', 'ZJE98A6CAF'],
  ['zje98\u2011a6c\u2212af\u200b', 'ZJE98A6CAF'],
  ['zje98_a6caf', 'ZJE98_A6CAF'],
])('[2FA-04] normalizeTypedCode reads the code %j as %j', (typed, code) => {
  expect(normalizeTypedCode(typed)).toBe(code);
});
