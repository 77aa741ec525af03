import { constants } from '../../../contract/constants.ts';
import { canonicalizeDocumentNumber, isNationalDocument } from '../../../contract/document-number.ts';

/** An identity document in canonical form: codes in lower case, and the number as `canonicalizeDocumentNumber` returns it. */
export interface Document {
  readonly country: string;
  readonly type: string;
  readonly number: string;
}

/**
 * Normalizes a document from a request. A missing country or type defaults to that of the national document. The legacy numeric type code becomes
 * `ci`. Leading zeros of national numbers are dropped.
 */
export function readDocument(country: unknown, type: unknown, number: unknown): Document {
  const kind = {
    country: text(country).trim().toLowerCase() || constants.defaultCountry,
    type: readDocumentType(type),
  };
  const written = canonicalizeDocumentNumber(kind.country, text(number));
  return { ...kind, number: isNational(kind) ? written.replace(/^0+(?=\d)/, '') : written };
}

/** Normalizes the code of a document type. The legacy code 68909 and an absent code mean `ci`. */
function readDocumentType(type: unknown): string {
  const code = text(type).trim().toLowerCase();
  return code === '' || code === constants.legacyNationalDocumentType ? constants.nationalDocumentType : code;
}

/** Whether the identity registry contains documents of this kind. */
export function isNational({ country, type }: Pick<Document, 'country' | 'type'>): boolean {
  return isNationalDocument(country, type);
}

/** Returns the id of a document, e.g. `uy-ci-12345672`. */
export function formatDocumentId({ country, type, number }: Document): string {
  return `${country}-${type}-${number}`;
}

export function readDocumentId(id: string): Document {
  const [country = '', type = '', ...number] = id.split('-');
  return { country, type, number: number.join('-') };
}

/** Parses a document from one text field: a national number, or an id such as `ar-psp-AB123456`. */
export function parseDocument(typed: string): Document {
  const id = typed.trim();
  if (!/^[a-z]{2}-[a-z0-9_]+-/.test(id)) return readDocument(null, null, id);
  const { country, type, number } = readDocumentId(id);
  return readDocument(country, type, number);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Masks document numbers in a log text: all groups of six or more digits. Line numbers in stack traces have at most five digits, so they stay
 * readable.
 */
export function maskDocuments(text: string): string {
  return text.replace(/\d(?:[.-]?\d){5,}/g, '******');
}
