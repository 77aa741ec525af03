import type { IdentityDocument } from '../../../platform/base/identity-document.ts';
import {
  isDocumentSigningCertificate,
  readSubjectSerialNumber,
  type ParsedCertificate,
  createSignatureRefusalError,
} from '../../../trust/certificates/certificate.ts';
import { buildCertificationPath, type TrustStore } from '../../../trust/certificates/trust-store.ts';
import { verifyCmsSignature } from './verify-cms-signature.ts';
import { canonicalizeDocumentNumber, isNationalDocument } from '../../../../contract/document-number.ts';
import { portalConstants } from '../../../../contract/constants.ts';
import { readPdfTextArea } from '../write-pdf.ts';
import { checkPdfSignatureUpdate, type PdfSignatureDictionary } from './check-pdf-signature-update.ts';
import { isSamePdfValue, PdfError } from './pdf-reader.ts';
import { readPdfRevision } from './read-pdf-revision.ts';

const byteRangePattern =
  /\/ByteRange\s{0,8}\[\s{0,8}(\d{1,9})\s{1,8}(\d{1,9})\s{1,8}(\d{1,9})\s{1,8}(\d{1,9})\s{0,128}\]/;
const pdfHeader = '%PDF-1.7\n';

/**
 * Reads the signature of a signed PDF. The file must be `statement` byte by byte, followed by one incremental update
 * (PAdES, ISO 32000-1, section 7.5.6) that only adds the signature. The signature must cover every byte except the
 * value of /Contents. Returns the CMS signature and the covered bytes. Throws an `OperationError` 400 if the file is invalid.
 */
function readPdf(file: Buffer, statement: Buffer) {
  if (!file.subarray(0, statement.length).equals(statement))
    throw createSignatureRefusalError('firma_de_otro_documento');
  const text = file.toString('latin1');
  const update = text.slice(statement.length);
  const marks = update.split('/ByteRange').length - 1;
  if (marks === 0) throw createSignatureRefusalError('firma_ausente');
  if (marks > 1) throw createSignatureRefusalError('firma_multiple');
  const range = (byteRangePattern.exec(update) ?? []).slice(1).map(Number);
  const [start, length, next, rest] = range;
  if (start === undefined || length === undefined || next === undefined || rest === undefined)
    throw createSignatureRefusalError('firma_ilegible');
  const coversAll = start === 0 && length > statement.length && next > length && next + rest === file.length;
  if (!coversAll) throw createSignatureRefusalError('firma_parcial');
  const signature = readSignature(statement, text);
  const { start: from, end: to } = signature.contents;
  if (from !== length || to !== next || text[from] !== '<') throw createSignatureRefusalError('firma_parcial');
  if (!isSamePdfValue(signature.byteRange, range)) throw createSignatureRefusalError('firma_con_agregados');
  return {
    cms: trimPadding(signature.contents.bytes),
    covered: Buffer.concat([file.subarray(0, length), file.subarray(next)]),
  };
}

function readSignature(statement: Buffer, text: string): PdfSignatureDictionary {
  const original = readPdfRevision(statement.toString('latin1'), pdfHeader.length);
  try {
    return checkPdfSignatureUpdate(original, readPdfRevision(text, statement.length), readPdfTextArea(statement));
  } catch (error) {
    throw error instanceof PdfError ? createSignatureRefusalError('firma_con_agregados', error) : error;
  }
}

/** Removes the padding after the outer ASN.1 element. Does not change an element of indefinite length. */
function trimPadding(bytes: Buffer): Buffer {
  const first = bytes[1] ?? 0;
  const lengthBytes = first & 0x7f;
  if (first < 0x80 || lengthBytes === 0 || lengthBytes > 4) return bytes;
  return bytes.subarray(0, 2 + lengthBytes + bytes.readUIntBE(2, lengthBytes));
}

/** Document that a certificate identifies. `types` is `null` if the certificate does not contain the type. */
interface NamedDocument {
  readonly country: string;
  readonly types: readonly string[] | null;
  readonly number: string;
}

/** Document types of this portal, by the prefixes that Uruguayan certificates use. */
const typesByPrefix: Readonly<Record<string, readonly string[]>> = {
  CI: ['ci'],
  DNI: ['dni'],
  PSP: ['psp'],
  PAS: ['psp'],
  PASAPORTE: ['psp'],
};

/**
 * Whether the serial number of a certificate's subject is the number of a document. Reads the Uruguayan format
 * (`CI12345672`, `CI1.234.567-2`, `DNI…`, `PSP…`, with the country elsewhere in the subject) and the European one (ETSI
 * EN 319 412-1: `IDCUY-12345672`, `PASAR-…`, `PNOUY-…`). A number without a prefix matches no document.
 */
export function isSerialNumberOfDocument(
  subject: { readonly serialNumber: string; readonly country: string | null },
  document: IdentityDocument,
): boolean {
  const { serialNumber, country } = subject;
  const serialDocument = parseEuropeanSerial(serialNumber) ?? parseUruguayanSerial(serialNumber, country);
  if (serialDocument === null || serialDocument.country !== document.country) return false;
  const kind = serialDocument.types === null ? document.type !== 'psp' : serialDocument.types.includes(document.type);
  return kind && normalizeNumber(serialDocument.number, document) === normalizeNumber(document.number, document);
}

function parseEuropeanSerial(serialNumber: string): NamedDocument | null {
  const [, kind, country, number] = /^(IDC|PAS|PNO)([A-Z]{2})-(.+)$/.exec(serialNumber.trim().toUpperCase()) ?? [];
  if (country === undefined || number === undefined) return null;
  return { country: country.toLowerCase(), types: kind === 'PAS' ? ['psp'] : null, number };
}

function parseUruguayanSerial(serialNumber: string, country: string | null): NamedDocument | null {
  const [, prefix = '', number] =
    /^(CI|DNI|PSP|PASAPORTE|PAS)[ :-]*([0-9A-Z].*)$/.exec(serialNumber.trim().toUpperCase()) ?? [];
  const from = country?.trim().toLowerCase() ?? (prefix === 'CI' ? portalConstants.defaultCountry : undefined);
  return number === undefined || from === undefined
    ? null
    : { country: from, types: typesByPrefix[prefix] ?? [], number };
}

/** Removes separators, and the leading zeros of a national document. */
function normalizeNumber(number: string, { country, type }: IdentityDocument): string {
  const bare = canonicalizeDocumentNumber(number);
  return isNationalDocument(country, type) ? bare.replace(/^0+(?=\d)/, '') : bare;
}

/** A signed file, with the data against which its signature is verified. */
export interface SignatureCheckInput {
  readonly file: Buffer;
  /** Bytes that the citizen had to sign. */
  readonly statement: Buffer;
  /** Document of the citizen, which the certificate must contain. */
  readonly document: IdentityDocument;
  /** Current time, at which the certificates must be valid. The signature's own signing time is ignored. */
  readonly now: Date;
}

/** Signature format and signer's certificate, for storage. */
export interface SignerCertificateRecord {
  readonly form: 'pdf' | 'cms';
  /** Serial number of the certificate, in hexadecimal. */
  readonly serial: string;
  /** Issuer of the certificate, one attribute per line. */
  readonly issuer: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
}

/** A valid signature. Its certificates have not been checked for revocation yet. */
export interface CheckedSignature {
  readonly signer: SignerCertificateRecord;
  /** Certification path, from the signer's certificate to the certificate of a trusted authority. */
  readonly path: readonly ParsedCertificate[];
}

type CheckSignedFile = (signed: SignatureCheckInput, roots: readonly ParsedCertificate[]) => Promise<CheckedSignature>;

/**
 * Verifies a signed statement: a PDF that contains its signature, or a CMS signature in DER or PEM. The signature must cover exactly the statement
 * and have one signer. The certificate must contain the citizen's document, be valid and not revoked, and be issued under a trusted authority.
 * Throws an `OperationError` 400 if one of these checks fails.
 */
export async function verifySignedStatement(
  signed: SignatureCheckInput & { readonly trust: TrustStore },
  check: CheckSignedFile = checkSignedFile,
): Promise<SignerCertificateRecord> {
  const { trust, file, statement, document, now } = signed;
  const { signer, path } = await check({ file, statement, document, now }, trust.roots);
  await trust.checkRevocation(path, now);
  return signer;
}

/** Checks a signed file in the current thread. Throws an `OperationError` 400 if it is invalid. */
export const checkSignedFile: CheckSignedFile = async ({ file, statement, document, now }, roots) => {
  const form = file.toString('latin1', 0, 5) === '%PDF-' ? 'pdf' : 'cms';
  const { cms, covered } = form === 'pdf' ? readPdf(file, statement) : { cms: decodePem(file), covered: statement };
  const { signer, certificates } = await verifyCmsSignature(cms, covered);
  if (!isDocumentSigningCertificate(signer)) throw createSignatureRefusalError('certificado_uso');
  const path = buildCertificationPath(signer, certificates, roots, now);
  const certificateDocument = readSubjectSerialNumber(signer);
  if (certificateDocument === null) throw createSignatureRefusalError('certificado_sin_documento');
  if (!isSerialNumberOfDocument(certificateDocument, document)) throw createSignatureRefusalError('certificado_ajeno');
  const { serialNumber, issuer, fingerprint256 } = signer.x509;
  return { signer: { form, serial: serialNumber, issuer, fingerprint: fingerprint256 }, path };
};

function decodePem(file: Buffer): Buffer {
  const [, base64] =
    /^\s*-----BEGIN (?:CMS|PKCS7|PKCS #7 SIGNED DATA)-----([A-Za-z0-9+/=\s]+)-----END /.exec(file.toString('latin1')) ??
    [];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}
