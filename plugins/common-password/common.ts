import { words } from './words.ts';

/** How much of a password is looked at, in UTF-16 units: twice what a field takes. What is longer is no word. */
const longest = 256;
/** Digits and signs that people put around a word: up to six of them make it no better. */
const ornamentLength = 6;

const signsOfLetters: Readonly<Record<string, string>> = {
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

const known: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ''));

/**
 * Whether a password is among the common ones: a known word, or one of `more` (lower case), alone, repeated or with up to six
 * digits and signs around it; also with the usual signs in place of letters. A run like `abcdefgh` and a short pattern that
 * repeats are common too.
 */
export function isCommon(password: string, more: readonly string[] = []): boolean {
  const folded = fold(password);
  return repeats(folded) || runs(folded) || readings(folded).some((word) => known.has(word) || more.includes(word));
}

/** How many words are known. */
export const wordCount = known.size;

function readings(folded: string): readonly string[] {
  const core = folded.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '');
  const cores = folded.length - core.length <= ornamentLength ? [core, spell(core)] : [];
  const all = [folded, spell(folded), ...cores];
  return [...all, ...all.map(half)];
}

/** `holahola` is read as `hola`; anything else as itself. */
function half(word: string): string {
  const middle = word.length / 2;
  return word.slice(0, middle) === word.slice(middle) ? word.slice(middle) : word;
}

function spell(word: string): string {
  return [...word].map((sign) => signsOfLetters[sign] ?? sign).join('');
}

function repeats(text: string): boolean {
  return /^(.{1,4})\1+$/su.test(text);
}

/** Every character is the next of the one before, or every one the previous. */
function runs(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.length > 1 && (steps.every((step) => step === 1) || steps.every((step) => step === -1));
}

function fold(text: string): string {
  // cut on both sides: one character may become eighteen, and the order of many marks costs the square of their number
  const folded = text.slice(0, longest).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return folded.slice(0, longest);
}
