import type { Document } from '../../../platform/base/document.ts';
import { maySignDocuments, subjectDocument, type ReadCertificate } from '../../../trust/certificates/certificate.ts';
import { namesDocument } from './document-match.ts';
import { findPath } from '../../../trust/certificates/path.ts';
import { checkCms } from './read-cms.ts';
import { isPdf, readPdf } from './read-pdf.ts';
import { refused } from '../../../trust/certificates/refused.ts';
import type { Trust } from '../../../trust/certificates/trust.ts';

/** A signed file, and what its signature must match. */
export interface SignedFile {
  readonly file: Buffer;
  /** The bytes that the citizen was given to sign. */
  readonly statement: Buffer;
  /** Document of the citizen, which the certificate must name. */
  readonly document: Document;
  /** Time of the server. Certificates must be valid now, whatever time the signature states. */
  readonly now: Date;
}

/** Signature and certificate of the signer, for the record. */
export interface Signer {
  readonly form: 'pdf' | 'cms';
  /** Serial number of the certificate in hexadecimal, and its issuer with one attribute per line. */
  readonly serial: string;
  readonly issuer: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
}

/** A valid signature, before the revocation check of its certificates. */
export interface CheckedSignature {
  readonly signer: Signer;
  /** Certificates from the signer's to that of a trusted authority. */
  readonly path: readonly ReadCertificate[];
}

export type CheckFile = (signed: SignedFile, roots: readonly ReadCertificate[]) => Promise<CheckedSignature>;

/**
 * Verifies a signed statement: a PDF that contains its signature, or a CMS signature in DER or PEM. The signature must cover exactly the statement
 * and have one signer. The certificate must name the citizen, be valid and not revoked, and be issued under a trusted authority. Throws a refusal.
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

/** Checks a signed file in the current thread. Throws a refusal (400). */
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

/** Returns the DER encoding of a file in DER or PEM. */
function unwrap(file: Buffer): Buffer {
  const [, base64] =
    /^\s*-----BEGIN (?:CMS|PKCS7|PKCS #7 SIGNED DATA)-----([A-Za-z0-9+/=\s]+)-----END /.exec(file.toString('latin1')) ??
    [];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}
