import { canonicalNumber, isNationalDocument } from '../../../../contract/document.ts';
import { constants } from '../../../../contract/constants.ts';
import type { Document } from '../../../platform/base/document.ts';

/** Document that a certificate names. `types` is `null` if the certificate does not name the type. */
interface NamedDocument {
  readonly country: string;
  readonly types: readonly string[] | null;
  readonly number: string;
}

/** Document types of this portal, by the prefixes in Uruguayan certificates. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  CI: ['ci'],
  DNI: ['dni'],
  PSP: ['psp'],
  PAS: ['psp'],
  PASAPORTE: ['psp'],
};
const nationalPrefix = 'CI';

/**
 * Whether the serial number of a certificate's subject names a document. Reads the Uruguayan format (`CI12345672`, `CI1.234.567-2`, `DNI…`, `PSP…`,
 * with the country elsewhere in the subject) and the European one (ETSI EN 319 412-1: `IDCUY-12345672`, `PASAR-…`, `PNOUY-…`). A number without a
 * prefix matches no document.
 */
export function namesDocument(
  subject: { readonly serialNumber: string; readonly country: string | null },
  document: Document,
): boolean {
  const named = readEuropean(subject.serialNumber) ?? readUruguayan(subject);
  if (named === null || named.country !== document.country) return false;
  const kind = named.types === null ? document.type !== 'psp' : named.types.includes(document.type);
  return kind && plain(named.number, document) === plain(document.number, document);
}

function readEuropean(serialNumber: string): NamedDocument | null {
  const [, kind, country, number] = /^(IDC|PAS|PNO)([A-Z]{2})-(.+)$/.exec(serialNumber.trim().toUpperCase()) ?? [];
  if (country === undefined || number === undefined) return null;
  return { country: country.toLowerCase(), types: kind === 'PAS' ? ['psp'] : null, number };
}

function readUruguayan({
  serialNumber,
  country,
}: {
  serialNumber: string;
  country: string | null;
}): NamedDocument | null {
  const [, prefix = '', number] =
    /^(CI|DNI|PSP|PASAPORTE|PAS)[ :-]*([0-9A-Z].*)$/.exec(serialNumber.trim().toUpperCase()) ?? [];
  const from = country?.trim().toLowerCase() ?? (prefix === nationalPrefix ? constants.defaultCountry : undefined);
  return number === undefined || from === undefined ? null : { country: from, types: prefixes[prefix] ?? [], number };
}

/** Removes separators, and the leading zeros of a national document. */
function plain(number: string, { country, type }: Document): string {
  const bare = canonicalNumber(country, number);
  return isNationalDocument(country, type) ? bare.replace(/^0+(?=\d)/, '') : bare;
}
