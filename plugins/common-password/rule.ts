import { defineRule } from '../../src/engine/core/plugin-rule.ts';
import words from './words.json' with { type: 'json' };

/** Number of UTF-16 units of a password that are compared with common words: twice the maximum length of the field. */
const maxCheckedLength = 256;
/** Maximum number of digits and signs around a common word that are ignored. */
const maxDecorationLength = 6;

const lettersBySign: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** In lower case without accents. Compiled for this project. */
export const commonPasswordWords: ReadonlySet<string> = new Set(words.flatMap((line) => line.split(' ')));

/** Whether a password is a listed word (also twice, or with digits and signs around it), one of `more` (lower case), a sequence, or a repetition. */
export function isCommonPassword(password: string, more: readonly string[] = []): boolean {
  const folded = foldPassword(password);
  return (
    /^(.{1,4})\1+$/su.test(folded) ||
    isSequence(folded) ||
    listReadings(folded).some((word) => commonPasswordWords.has(word) || more.includes(word))
  );
}

function listReadings(folded: string): readonly string[] {
  const core = folded.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const cores = folded.length - core.length <= maxDecorationLength ? [core, replaceSigns(core)] : [];
  const all = [folded, replaceSigns(folded), ...cores];
  return [...all, ...all.map(halveDoubledWord)];
}

function halveDoubledWord(word: string): string {
  const middle = word.length / 2;
  return word.slice(0, middle) === word.slice(middle) ? word.slice(middle) : word;
}

function replaceSigns(word: string): string {
  return [...word].map((sign) => lettersBySign[sign] ?? sign).join('');
}

function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.length > 1 && (steps.every((step) => step === 1) || steps.every((step) => step === -1));
}

function foldPassword(text: string): string {
  // Truncates twice, because one character may decompose into eighteen, and sorting many combining marks takes quadratic time.
  const folded = text.slice(0, maxCheckedLength).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.slice(0, maxCheckedLength);
}

/** `true` checks only the bundled list. `words` adds words of the operator to it. */
type Options = true | { readonly words: readonly string[] };

export const rules = [
  defineRule<Options>({
    keyword: 'notCommon',
    level: 'field',
    types: ['string'],
    parameters: {
      anyOf: [
        { const: true },
        {
          type: 'object',
          required: ['words'],
          properties: {
            words: { type: 'array', items: { type: 'string', pattern: '^[a-z]{3,}$', examples: ['montevideo'] } },
          },
          additionalProperties: false,
        },
      ],
    },
    check: ({ value, parameters }) => {
      if (typeof value !== 'string') return null;
      return isCommonPassword(value, parameters === true ? [] : parameters.words) ? {} : null;
    },
  }),
];
