import type { Localized } from '../localized.ts';
import { say } from './say.ts';

/** Cyrillic and Greek letters that look like Latin ones, with the Latin letter. */
const lookalikes = new Map(
  [
    'аa',
    'еe',
    'оo',
    'рp',
    'сc',
    'уy',
    'хx',
    'іi',
    'ѕs',
    'јj',
    'АA',
    'ВB',
    'ЕE',
    'КK',
    'МM',
    'НH',
    'ОO',
    'РP',
    'СC',
    'ТT',
    'ХX',
    'οo',
    'νv',
    'αa',
    'ΑA',
    'ΒB',
    'ΕE',
    'ΟO',
    'ΡP',
    'ΤT',
  ].map(([other = '', latin = '']) => [other, latin] as const),
);

export interface HiddenLetter {
  readonly message: Localized;
  readonly hint: Localized;
}

/** Invisible characters and those that change the direction of a text. U+200D is allowed between emoji. */
const unseen =
  /[\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/u;
/** Blanks other than the ordinary space. */
const otherBlank = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
/** Letters of alphabets with Latin lookalikes. */
const otherLetter = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Finds a misleading character in a string literal of a file. Escape sequences are visible and allowed. Returns `null` if there is none. */
export function hiddenLetter(written: string, isKey: boolean): HiddenLetter | null {
  const clean = written
    .replaceAll(new RegExp(unseen, 'gu'), '')
    .replaceAll(new RegExp(otherBlank, 'gu'), ' ')
    .replaceAll(/\p{L}/gu, (letter) => lookalikes.get(letter) ?? letter)
    .trim();
  const hint = say`Type it again by hand: "${clean}".`;
  const [sign] = unseen.exec(written) ?? [];
  if (sign !== undefined)
    return { message: say`"${clean}" holds a character that nobody sees (${codeOf(sign)}).`, hint };
  const isAtEnd = otherBlank.test(written.slice(0, 1)) || otherBlank.test(written.slice(-1));
  const [blank] = isKey || isAtEnd ? (otherBlank.exec(written) ?? []) : [];
  if (blank !== undefined)
    return { message: say`"${clean}" holds a blank that is not the one of the keyboard (${codeOf(blank)}).`, hint };
  const words = written.includes('[') ? [] : (written.match(/\p{L}+/gu) ?? []); // brackets may be a character class of a pattern
  const foreign = words.flatMap((word) => (/\p{Script=Latin}/u.test(word) ? (otherLetter.exec(word) ?? []) : []))[0];
  if (foreign !== undefined)
    return {
      message: say`"${written}" holds a letter of another alphabet that looks like a Latin one: ${foreign} (${codeOf(foreign)}).`,
      hint,
    };
  if (isKey && written !== written.trim())
    return { message: say`The key "${written}" begins or ends with a blank.`, hint };
  return null;
}

function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
