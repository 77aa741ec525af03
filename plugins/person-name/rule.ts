import { defineRule } from '../../src/engine/core/plugin.ts';

/**
 * Letters of any script with their marks, apostrophe, hyphen, blank and middle dot; one letter at least, and no invisible character. The
 * joiners of Persian and Indic names pass: the cleaning of texts leaves them nowhere else.
 */
const name =
  /^['’ ·・‐‑-]*(?:(?!\p{Default_Ignorable_Code_Point})\p{L}(?:(?!\p{Default_Ignorable_Code_Point})[\p{Mn}\p{Mc}]|[\u200c\u200d])*['’ ·・‐‑-]*)+$/u;

/** Overlays, marks of symbols, and more than two accents on a letter belong to no name. A script's own vowel signs may be more. */
const defaced = /[\u0334-\u0338\u20d0-\u20f0]|(?:(?=\p{M})\p{Script=Inherited}){3}/u;

/** No name is longer, in UTF-16 units; to put many marks in order costs the square of their number. */
const longest = 1000;

/** The name of a person, however its accents are encoded. */
export const rules = [
  defineRule<true>({
    keyword: 'personName',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      if (typeof value !== 'string') return null;
      const composed = value.length <= longest ? value.normalize('NFC') : '';
      return name.test(composed) && !defaced.test(composed) ? null : {};
    },
  }),
];
