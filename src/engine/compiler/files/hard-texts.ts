/** Generators of adversarial texts of about `length` characters: repetitive, nearly valid, or growing under normalization. */
export const hardTexts: Readonly<Record<string, (length: number) => string>> = {
  'one letter': (length) => 'a'.repeat(length),
  'one letter and a sign': (length) => `${'a'.repeat(length - 1)}!`,
  'two letters by turns': (length) => 'ab'.repeat(length / 2),
  'letters without a period': (length) =>
    Array.from({ length }, (_, index) => 'abcdefgh'[(index * index + (index >> 3)) % 8]).join(''),
  'digits and a letter': (length) => `${'1'.repeat(length - 1)}x`,
  'a letter, digits and a letter': (length) => `a${'1'.repeat(length - 2)}a`,
  blanks: (length) => ' '.repeat(length),
  'blanks and a sign': (length) => `${' '.repeat(length - 1)}!`,
  'words of one letter': (length) => 'a '.repeat(length / 2),
  'a phone number without end': (length) => `+1${' 1'.repeat(length / 2 - 2)}x`,
  'an address without end': (length) => `a@${'a.'.repeat(length / 2 - 2)}!`,
  'a local part without end': (length) => `${'a.'.repeat(length / 2)}@`,
  'a file without end': (length) => `data:a/b;name=a;base64,${'A'.repeat(length)}!`,
  'a date of hyphens': (length) => '-'.repeat(length),
  apostrophes: (length) => "'".repeat(length),
  'letters with accents apart': (length) => 'a\u0301'.repeat(length / 2),
  'marks alone': (length) => '\u0301\u0323'.repeat(length / 2),
  'one sign that becomes eighteen': (length) => '\ufdfa'.repeat(length),
  'syllables that become three': (length) => '\uac01'.repeat(length),
  'signs beyond the first plane': (length) => '\u{1f9a4}'.repeat(length / 2),
};
