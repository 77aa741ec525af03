import { constants } from './constants.ts';

/** Characters beside A-Z and 0-9 that are part of a country's own numbers, by its code. No document that is offered needs one. */
const numberSigns: Readonly<Record<string, string>> = {};

/** Tells whether the identity registry knows documents of this kind; its type is also written by its code in ID Uruguay. */
export function isNationalDocument(country: unknown, type: unknown): boolean {
  return (
    country === constants.defaultCountry &&
    (type === constants.nationalDocumentType || type === constants.legacyNationalDocumentType)
  );
}

/**
 * The one written form of a document's number: compatible characters as one (NFKC), upper case, A-Z and 0-9 alone. So two numbers that
 * look alike are the same document, for the screen, the tables, and the claims that applications get.
 */
export function canonicalNumber(country: string, number: string, signs = signsOf(country)): string {
  return [...number.normalize('NFKC')]
    .filter((sign) => /[A-Za-z0-9]/.test(sign) || signs.includes(sign))
    .join('')
    .toUpperCase();
}

/** No number is longer, in UTF-16 units; to put many marks in order costs the square of their number. */
const longestNumber = 1000;

/**
 * Why a number is none, or null when it is one: `separators` for a hyphen, `invalid` for any other character that the written form
 * would drop, and where nothing is left of it. Dots and blanks are how people write numbers.
 */
export function numberProblem(
  country: string,
  number: string,
  signs = signsOf(country),
): 'separators' | 'invalid' | null {
  if (number.length > longestNumber) return 'invalid';
  const written = [...number.normalize('NFKC')].filter((sign) => !signs.includes(sign)).join('');
  if (written.includes('-')) return 'separators';
  return /^[A-Za-z0-9. ]*$/.test(written) && canonicalNumber(country, number, signs) !== '' ? null : 'invalid';
}

function signsOf(country: string): string {
  return Object.hasOwn(numberSigns, country) ? (numberSigns[country] ?? '') : '';
}
