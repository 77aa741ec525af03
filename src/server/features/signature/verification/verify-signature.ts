import type { Document } from '../../../platform/base/document.ts';
import { maySignDocuments, subjectDocument, type ReadCertificate } from '../../../trust/certificates/certificate.ts';
import { namesDocument } from './document-match.ts';
import { findPath } from '../../../trust/certificates/path.ts';
import { checkCms } from './read-cms.ts';
import { isPdf, readPdf } from './read-pdf.ts';
import { refused } from '../../../trust/certificates/refused.ts';
import type { Trust } from '../../../trust/certificates/trust.ts';

/** A signed file and what it must be a signature of. */
export interface SignedFile {
  readonly file: Buffer;
  /** The bytes that the citizen was given to sign. */
  readonly statement: Buffer;
  /** Document of the citizen, which the certificate must name. */
  readonly document: Document;
  /** The server's time: certificates must be valid now, whatever the signature says of its own time. */
  readonly now: Date;
}

/** Who signed, for the record. */
export interface Signer {
  readonly form: 'pdf' | 'cms';
  /** Serial number of the certificate in hexadecimal, and its issuer, one part a line. */
  readonly serial: string;
  readonly issuer: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
}

/** A signature that is valid but for the revocation of its certificates. */
export interface CheckedSignature {
  readonly signer: Signer;
  /** From the signer's certificate to a trusted authority's. */
  readonly path: readonly ReadCertificate[];
}

/** Checks a signed file against trusted authorities, without revocation lists. */
export type CheckFile = (signed: SignedFile, roots: readonly ReadCertificate[]) => Promise<CheckedSignature>;

/**
 * Verifies a signed statement: a PDF with a signature inside, or a CMS signature in DER or PEM. The signature covers exactly the statement, one person
 * signed it, the certificate is that person's, valid, not revoked, and issued under a trusted authority. Throws a refusal (400).
 */
export async function verifySignature(
  signed: SignedFile & { readonly trust: Trust },
  check: CheckFile = checkFile,
): Promise<Signer> {
  const { trust, file, statement, document, now } = signed;
  const { signer, path } = await check({ file, statement, document, now }, trust.roots);
  await trust.checkRevocation(path, now);
  return signer;
}

/** Checks a signed file on this thread. Throws a refusal (400). */
export const checkFile: CheckFile = async ({ file, statement, document, now }, roots) => {
  const form = isPdf(file) ? 'pdf' : 'cms';
  const { cms, covered } = form === 'pdf' ? readPdf(file, statement) : { cms: unwrap(file), covered: statement };
  const { signer, certificates } = await checkCms(cms, covered);
  if (!maySignDocuments(signer)) throw refused('certificado_uso');
  const path = findPath(signer, certificates, roots, now);
  const named = subjectDocument(signer);
  if (named === null) throw refused('certificado_sin_documento');
  if (!namesDocument(named, document)) throw refused('certificado_ajeno');
  const { serialNumber, issuer, fingerprint256 } = signer.x509;
  return { signer: { form, serial: serialNumber, issuer, fingerprint: fingerprint256 }, path };
};

/** DER as it is; PEM without its frame. */
function unwrap(file: Buffer): Buffer {
  const [, base64] =
    /^\s*-----BEGIN (?:CMS|PKCS7|PKCS #7 SIGNED DATA)-----([A-Za-z0-9+/=\s]+)-----END /.exec(file.toString('latin1')) ??
    [];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}
