import { constants } from '../../../contract/constants.ts';
import { canonicalNumber, isNationalDocument } from '../../../contract/document.ts';

/** An identity document in its one written form: lower-case codes, number as `canonicalNumber` writes it. */
export interface Document {
  readonly country: string;
  readonly type: string;
  readonly number: string;
}

/**
 * Reads a document as it travels: null means the national one, the legacy numeric code means `ci`, and the leading zeros
 * of a national number do not count.
 */
export function readDocument(country: unknown, type: unknown, number: unknown): Document {
  const kind = {
    country: text(country).trim().toLowerCase() || constants.defaultCountry,
    type: readDocumentType(type),
  };
  const written = canonicalNumber(kind.country, text(number));
  return { ...kind, number: isNational(kind) ? written.replace(/^0+(?=\d)/, '') : written };
}

/** Reads the code of a document type: the legacy code 68909 and nothing at all mean `ci`. */
function readDocumentType(type: unknown): string {
  const code = text(type).trim().toLowerCase();
  return code === '' || code === constants.legacyNationalDocumentType ? constants.nationalDocumentType : code;
}

/** Tells whether the identity registry knows documents of this kind. */
export function isNational({ country, type }: Pick<Document, 'country' | 'type'>): boolean {
  return isNationalDocument(country, type);
}

/** The document as one text, e.g. `uy-ci-12345672`. */
export function documentId({ country, type, number }: Document): string {
  return `${country}-${type}-${number}`;
}

export function readDocumentId(id: string): Document {
  const [country = '', type = '', ...number] = id.split('-');
  return { country, type, number: number.join('-') };
}

/** Reads what somebody typed in one field: a national number, or a document's id such as `ar-psp-AB123456`. */
export function typedDocument(typed: string): Document {
  const id = typed.trim();
  if (!/^[a-z]{2}-[a-z0-9_]+-/.test(id)) return readDocument(null, null, id);
  const { country, type, number } = readDocumentId(id);
  return readDocument(country, type, number);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Masks digit groups as long as a document's. The numbers in stack frames, of up to five digits, stay. */
export function maskDocuments(text: string): string {
  return text.replace(/\d(?:[.-]?\d){5,}/g, '******');
}
