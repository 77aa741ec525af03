import { defineRule, fieldNameParameterSchema } from '../../src/engine/core/plugin-rule.ts';
import { asObject, type ValuesByName } from '../../src/engine/core/json.ts';

/** Maximum number of characters of a personal text, such as a name, to compare. A longer text cannot reach a high similarity to a short secret. */
const maxKnownLength = 256;
/** Maximum number of characters of the secret to compare, after case and accents were removed. */
const maxSecretLength = 128;
/** Maximum number of words of a personal text to compare, the longest first. */
const maxParts = 16;

/** Returns a text without case and accents: the complete text, the part before an "@", and each word of letters and digits. */
function splitWords(text: string): readonly string[] {
  const folded = foldKnownText(text);
  const runs = folded.split(/[^\p{L}\p{N}]+/u).sort((a, b) => b.length - a.length);
  return [folded, folded.slice(0, Math.max(0, folded.indexOf('@'))), ...runs.slice(0, maxParts)].filter(
    (part) => part !== '',
  );
}

/** Returns each concatenation of two or more of the names in cyclic order, such as "anapereira" and "pereirasosaana". */
function joinNames(names: readonly string[]): readonly string[] {
  const folded = names
    .map((name) => truncate(foldKnownText(name).replace(/[^\p{L}\p{N}]+/gu, ''), maxKnownLength))
    .filter((name) => name !== '');
  const turns = folded.map((_, start) => [...folded.slice(start), ...folded.slice(0, start)]);
  return [...new Set(turns.flatMap(selectNames))];
}

function selectNames([first = '', ...others]: readonly string[]): readonly string[] {
  const selections = others.reduce<readonly string[]>(
    (made, name) => [...made, ...made.map((text) => text + name)],
    [first],
  );
  return selections.slice(1);
}

/** Removes case and accents. Truncates the text before and after that, because one character may decompose into eighteen. */
function foldKnownText(text: string): string {
  return truncate(
    truncate(text, maxKnownLength).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    maxKnownLength,
  );
}

function truncate(text: string, length: number): string {
  return text.length <= length
    ? text
    : Array.from(text.slice(0, 2 * length))
        .slice(0, length)
        .join('');
}

interface PersonalData {
  readonly fields: readonly string[];
  readonly context?: string;
  /** Fields, or keys of the context object, whose values form one full name in this order. */
  readonly names?: readonly string[];
  readonly threshold: number;
}

/** Maximum number of names to combine. Each name doubles the number of combinations. */
const maxNames = 4;

export const rules = [
  defineRule<PersonalData>({
    keyword: 'notSimilarTo',
    level: 'field',
    types: ['string'],
    parameters: {
      type: 'object',
      required: ['fields', 'threshold'],
      properties: {
        fields: { type: 'array', items: fieldNameParameterSchema, maxItems: 12 },
        context: { type: 'string', minLength: 1 },
        names: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 2, maxItems: maxNames },
        threshold: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
      },
      additionalProperties: false,
    },
    reads: ({ fields }) => fields,
    facts: ({ context }) => (context === undefined ? [] : [context]),
    check: ({ value, form, context, parameters: { fields, context: fact, names = [], threshold } }) => {
      if (typeof value !== 'string') return null;
      const typed = Object.fromEntries(fields.map((field) => [field, form[field]]));
      const known = [typed, fact === undefined ? {} : asObject(context[fact])].flatMap((person) => [
        ...Object.values(person).flatMap((text) => (typeof text === 'string' ? splitWords(text) : [])),
        ...joinNames(names.flatMap((name) => getText(person, name))),
      ]);
      const secret = truncate(foldKnownText(value), maxSecretLength);
      return [...new Set(known)].some((text) => resembles(secret, text, threshold)) ? {} : null;
    },
  }),
];

function getText(person: ValuesByName, name: string): readonly string[] {
  const text = Object.hasOwn(person, name) ? person[name] : undefined;
  return typeof text === 'string' ? [text] : [];
}

/** Similarity from 0 to 1 (Ratcliff and Obershelp, "Pattern Matching: The Gestalt Approach", Dr. Dobb's Journal, July 1988). */
export function computeTextSimilarity(a: string, b: string): number {
  return computeRatio(toCodePoints(a), toCodePoints(b));
}

function resembles(a: string, b: string, threshold: number): boolean {
  const [left, right] = [toCodePoints(a), toCodePoints(b)];
  const upperBound = (2 * Math.min(left.length, right.length)) / (left.length + right.length);
  return upperBound > threshold && computeRatio(left, right) > threshold;
}

function toCodePoints(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function computeRatio(a: Uint32Array, b: Uint32Array): number {
  const length = a.length + b.length;
  if (length === 0) return 0;
  return (2 * countMatching(a, b)) / length;
}

interface Block {
  readonly size: number;
  readonly end: number;
  readonly endB: number;
}

/** Counts the characters in matching blocks. The loop finds all blocks of the maximum size, so the recursion has at most √(2n) levels. */
function countMatching(a: Uint32Array, b: Uint32Array): number {
  let block = findLongestBlock(a, b);
  const { size } = block;
  if (size === 0) return 0;
  let total = 0;
  let [restA, restB] = [a, b];
  while (block.size === size) {
    const { end, endB } = block;
    total += size + countMatching(restA.subarray(0, end - size), restB.subarray(0, endB - size));
    [restA, restB] = [restA.subarray(end), restB.subarray(endB)];
    block = findLongestBlock(restA, restB, size);
  }
  return total + countMatching(restA, restB);
}

/** Finds the longest common substring, or the first one of length `enough`. The first occurrence wins. */
function findLongestBlock(a: Uint32Array, b: Uint32Array, enough = Infinity): Block {
  const runs = new Uint16Array(b.length + 1); // length of the common substring that ends at each position of `b`, overwritten for each character of `a`
  let best: Block = { size: 0, end: 0, endB: 0 };
  for (let i = 0; i < a.length; i++) {
    const before = best.size;
    let size = before;
    let endB = 0;
    for (let j = b.length; j > 0; j--) {
      const run = a[i] === b[j - 1] ? (runs[j - 1] ?? 0) + 1 : 0;
      runs[j] = run;
      if (run > before && run >= size) {
        size = run;
        endB = j;
      }
    }
    if (size > before) best = { size, end: i + 1, endB };
    if (size >= enough) break;
  }
  return best;
}
