import { portalConstants } from '../../../contract/constants.ts';
import { canonicalizeDocumentNumber, isNationalDocument } from '../../../contract/document-number.ts';
import { toStringOrEmpty } from './normalize-input.ts';

/** An identity document in canonical form: codes in lower case, and the number as `canonicalizeDocumentNumber` returns it. */
export interface IdentityDocument {
  readonly country: string;
  readonly type: string;
  readonly number: string;
}

/** Normalizes a document from a request. A missing country or type defaults to that of the national document, and the legacy code 68909 becomes `ci`. */
export function normalizeDocument(country: unknown, type: unknown, number: unknown): IdentityDocument {
  const code = toStringOrEmpty(type).trim().toLowerCase();
  const kind = {
    country: toStringOrEmpty(country).trim().toLowerCase() || portalConstants.defaultCountry,
    type: ['', portalConstants.legacyNationalDocumentType].includes(code) ? portalConstants.nationalDocumentType : code,
  };
  const written = canonicalizeDocumentNumber(toStringOrEmpty(number));
  return { ...kind, number: isNationalIdentityDocument(kind) ? written.replace(/^0+(?=\d)/, '') : written };
}

/** Whether the identity registry contains documents of this kind. */
export function isNationalIdentityDocument({ country, type }: Pick<IdentityDocument, 'country' | 'type'>): boolean {
  return isNationalDocument(country, type);
}

/** Formats the id of a document, e.g. `uy-ci-12345672`. */
export function formatDocumentId({ country, type, number }: IdentityDocument): string {
  return `${country}-${type}-${number}`;
}

export function parseDocumentId(id: string): IdentityDocument {
  const [country = '', type = '', ...number] = id.split('-');
  return { country, type, number: number.join('-') };
}

/** Parses a document from one text field: a national number, or an id such as `ar-psp-AB123456`. */
export function parseEnteredDocument(typed: string): IdentityDocument {
  const id = typed.trim();
  if (!/^[a-z]{2}-[a-z0-9_]+-/.test(id)) return normalizeDocument(null, null, id);
  const { country, type, number } = parseDocumentId(id);
  return normalizeDocument(country, type, number);
}

/** Masks all groups of six or more digits in a log text. Line numbers in stack traces have fewer, so they stay readable. */
export function maskDocumentNumbers(text: string): string {
  return text.replace(/\d(?:[.-]?\d){5,}/g, '******');
}
