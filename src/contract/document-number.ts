import { constants } from './constants.ts';

/** Characters other than A-Z and 0-9 in the document numbers of a country, by its code. No country needs any so far. */
const extraNumberCharacters: Readonly<Record<string, string>> = {};

/** Whether the identity registry has documents of this kind. The type may be written as ID Uruguay's numeric code. */
export function isNationalDocument(country: unknown, type: unknown): boolean {
  return (
    country === constants.defaultCountry &&
    (type === constants.nationalDocumentType || type === constants.legacyNationalDocumentType)
  );
}

/**
 * Returns the canonical form of a document number: NFKC, upper case, only A-Z and 0-9. So numbers that look alike are the same document in screens,
 * tables and the claims of applications.
 */
export function canonicalizeDocumentNumber(
  country: string,
  number: string,
  signs = getNumberCharacters(country),
): string {
  return [...number.normalize('NFKC')]
    .filter((sign) => /[A-Za-z0-9]/.test(sign) || signs.includes(sign))
    .join('')
    .toUpperCase();
}

/** Maximum length in UTF-16 units. Normalizing many combining marks takes quadratic time. */
const maxNumberLength = 1000;

/**
 * Returns why a document number is invalid. Returns `null` if it is valid. `separators`: it contains a hyphen. `invalid`: it contains another
 * character that the canonical form drops, or the canonical form is empty. Dots and spaces are allowed.
 */
export function findDocumentNumberProblem(
  country: string,
  number: string,
  signs = getNumberCharacters(country),
): 'separators' | 'invalid' | null {
  if (number.length > maxNumberLength) return 'invalid';
  const written = [...number.normalize('NFKC')].filter((sign) => !signs.includes(sign)).join('');
  if (written.includes('-')) return 'separators';
  return /^[A-Za-z0-9. ]*$/.test(written) && canonicalizeDocumentNumber(country, number, signs) !== ''
    ? null
    : 'invalid';
}

function getNumberCharacters(country: string): string {
  return Object.hasOwn(extraNumberCharacters, country) ? (extraNumberCharacters[country] ?? '') : '';
}
