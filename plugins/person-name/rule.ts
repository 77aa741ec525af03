import { defineRule } from '../../src/engine/core/plugin-rule.ts';

/** Letters of any script with marks, apostrophes, hyphens, blanks and middle dots. Allows the invisible joiners of Persian and Indic names. */
const namePattern =
  /^['’ ·・‐‑-]*(?:(?!\p{Default_Ignorable_Code_Point})\p{L}(?:(?!\p{Default_Ignorable_Code_Point})[\p{Mn}\p{Mc}]|[\u200c\u200d])*['’ ·・‐‑-]*)+$/u;

/** Overlays, marks for symbols, and more than two accents on a letter. Does not match the vowel signs of a script. */
const overlayPattern = /[\u0334-\u0338\u20d0-\u20f0]|(?:(?=\p{M})\p{Script=Inherited}){3}/u;

/** Maximum length of a name, in UTF-16 units. Sorting many combining marks takes quadratic time. */
const maxNameLength = 1000;

export const rules = [
  defineRule<true>({
    keyword: 'personName',
    level: 'field',
    types: ['string'],
    parameters: { const: true },
    check: ({ value }) => {
      if (typeof value !== 'string') return null;
      const composed = value.length <= maxNameLength ? value.normalize('NFC') : '';
      return namePattern.test(composed) && !overlayPattern.test(composed) ? null : {};
    },
  }),
];
