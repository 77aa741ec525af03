import { portalConstants } from '../../../contract/constants.ts';
import { canonicalizeDocumentNumber, isNationalDocument } from '../../../contract/document-number.ts';

/** An identity document in canonical form: codes in lower case, and the number as `canonicalizeDocumentNumber` returns it. */
export interface IdentityDocument {
  readonly country: string;
  readonly type: string;
  readonly number: string;
}

/**
 * Normalizes a document from a request. A missing country or type defaults to that of the national document. The legacy numeric type code becomes
 * `ci`. Leading zeros of national numbers are dropped.
 */
export function normalizeDocument(country: unknown, type: unknown, number: unknown): IdentityDocument {
  const kind = {
    country: stringOrEmpty(country).trim().toLowerCase() || portalConstants.defaultCountry,
    type: readDocumentType(type),
  };
  const written = canonicalizeDocumentNumber(kind.country, stringOrEmpty(number));
  return { ...kind, number: isNationalIdentityDocument(kind) ? written.replace(/^0+(?=\d)/, '') : written };
}

/** Normalizes the code of a document type. The legacy code 68909 and an absent code mean `ci`. */
function readDocumentType(type: unknown): string {
  const code = stringOrEmpty(type).trim().toLowerCase();
  return code === '' || code === portalConstants.legacyNationalDocumentType
    ? portalConstants.nationalDocumentType
    : code;
}

/** Whether the identity registry contains documents of this kind. */
export function isNationalIdentityDocument({ country, type }: Pick<IdentityDocument, 'country' | 'type'>): boolean {
  return isNationalDocument(country, type);
}

/** Returns the id of a document, e.g. `uy-ci-12345672`. */
export function formatDocumentId({ country, type, number }: IdentityDocument): string {
  return `${country}-${type}-${number}`;
}

export function parseDocumentId(id: string): IdentityDocument {
  const [country = '', type = '', ...number] = id.split('-');
  return { country, type, number: number.join('-') };
}

/** Parses a document from one text field: a national number, or an id such as `ar-psp-AB123456`. */
export function parseTypedDocument(typed: string): IdentityDocument {
  const id = typed.trim();
  if (!/^[a-z]{2}-[a-z0-9_]+-/.test(id)) return normalizeDocument(null, null, id);
  const { country, type, number } = parseDocumentId(id);
  return normalizeDocument(country, type, number);
}

function stringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Masks document numbers in a log text: all groups of six or more digits. Line numbers in stack traces have at most five digits, so they stay
 * readable.
 */
export function maskDocumentNumbers(text: string): string {
  return text.replace(/\d(?:[.-]?\d){5,}/g, '******');
}
