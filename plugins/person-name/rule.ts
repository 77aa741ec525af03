import { defineRule } from '../../src/engine/core/plugin.ts';

/** One letter at least; marks that make no letter with the one before, controls and characters that nobody sees are none. */
const name = /^['’ -]*(?!\p{Default_Ignorable_Code_Point})\p{L}(?:(?!\p{Default_Ignorable_Code_Point})\p{L}|['’ -])*$/u;

/** No name is longer, in UTF-16 units; to put many marks in order costs the square of their number. */
const longest = 1000;

/** The name of a person, however its accents are encoded: letters, blank, apostrophe and hyphen. */
export const rules = [
  defineRule<true>({
    keyword: 'personName',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      if (typeof value !== 'string') return null;
      return value.length <= longest && name.test(value.normalize('NFC')) ? null : {};
    },
  }),
];
