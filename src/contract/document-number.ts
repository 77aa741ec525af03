import { portalConstants } from './constants.ts';

/** Whether the identity registry has documents of this country and type. Also accepts ID Uruguay's numeric code in place of `ci`. */
export function isNationalDocument(country: unknown, type: unknown): boolean {
  return (
    country === portalConstants.defaultCountry &&
    (type === portalConstants.nationalDocumentType || type === portalConstants.legacyNationalDocumentType)
  );
}

/** Formats a number for display: `36509181` of an identity card becomes `3.650.918-1`. Other numbers are unchanged. */
export function formatDocumentNumber(country: unknown, type: unknown, number: string): string {
  if (!isNationalDocument(country, type) || !/^\d{2,8}$/.test(number)) return number;
  return `${number.slice(0, -1).replace(/\B(?=(\d{3})+$)/g, '.')}-${number.slice(-1)}`;
}

/** Converts a number to NFKC and upper case, and keeps only A-Z and 0-9. Numbers with the same canonical form are the same document. */
export function canonicalizeDocumentNumber(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[^A-Za-z0-9]/g, '')
    .toUpperCase();
}

/** Maximum length in UTF-16 code units, because normalizing many combining marks takes quadratic time. */
const maxNumberLength = 1000;

/** `separators`: the number contains a hyphen. `invalid`: it is too long, empty, or has characters other than A-Z, a-z, 0-9, dots and spaces. */
export function findDocumentNumberProblem(number: string): 'separators' | 'invalid' | null {
  if (number.length > maxNumberLength) return 'invalid';
  const normalized = number.normalize('NFKC');
  if (normalized.includes('-')) return 'separators';
  return /^[A-Za-z0-9. ]*$/.test(normalized) && canonicalizeDocumentNumber(number) !== '' ? null : 'invalid';
}
