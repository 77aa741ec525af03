import { defineRule } from '../../src/engine/core/plugin.ts';

/** One letter at least; marks that make no letter with the one before, controls and characters that nobody sees are none. */
const name = /^['’ -]*(?!\p{Default_Ignorable_Code_Point})\p{L}(?:(?!\p{Default_Ignorable_Code_Point})\p{L}|['’ -])*$/u;

/** The name of a person, however its accents are encoded: letters, blank, apostrophe and hyphen. */
export const rules = [
  defineRule<true>({
    keyword: 'personName',
    level: 'field',
    parameters: { const: true },
    check: ({ value }) => (typeof value !== 'string' || name.test(value.normalize('NFC')) ? null : {}),
  }),
];
