import type { Document } from '../../../platform/base/document.ts';
import { maySignDocuments, subjectDocument } from '../../../trust/certificates/certificate.ts';
import { namesDocument } from './document-match.ts';
import { findPath } from '../../../trust/certificates/path.ts';
import { checkCms } from './read-cms.ts';
import { isPdf, readPdf } from './read-pdf.ts';
import { refused } from '../../../trust/certificates/refused.ts';
import type { Trust } from '../../../trust/certificates/trust.ts';

/** What a signed file is verified against. */
export interface SignedFile {
  readonly file: Buffer;
  /** The very bytes that were given to be signed. */
  readonly statement: Buffer;
  /** Whose signature it must be. */
  readonly document: Document;
  readonly trust: Trust;
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

/**
 * Checks a signed statement: a PDF with a signature inside, or a CMS signature in DER or PEM. The signature covers exactly the statement, one person
 * signed it, the certificate is that person's, valid, and issued under a trusted authority. Throws a refusal (400).
 */
export async function verifySignature({ file, statement, document, trust, now }: SignedFile): Promise<Signer> {
  const form = isPdf(file) ? 'pdf' : 'cms';
  const { cms, covered } = form === 'pdf' ? readPdf(file, statement) : { cms: unwrap(file), covered: statement };
  const { signer, certificates } = await checkCms(cms, covered);
  if (!maySignDocuments(signer)) throw refused('certificado_uso');
  const path = findPath(signer, certificates, trust.roots, now);
  await trust.checkRevocation(path, now);
  const named = subjectDocument(signer);
  if (named === null) throw refused('certificado_sin_documento');
  if (!namesDocument(named, document)) throw refused('certificado_ajeno');
  const { serialNumber, issuer, fingerprint256 } = signer.x509;
  return { form, serial: serialNumber, issuer, fingerprint: fingerprint256 };
}

/** DER as it is; PEM without its frame. */
function unwrap(file: Buffer): Buffer {
  const [, base64] =
    /^\s*-----BEGIN (?:CMS|PKCS7|PKCS #7 SIGNED DATA)-----([A-Za-z0-9+/=\s]+)-----END /.exec(file.toString('latin1')) ??
    [];
  return base64 === undefined ? file : Buffer.from(base64, 'base64');
}
