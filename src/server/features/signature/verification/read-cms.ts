import { createHash } from 'node:crypto';
import { Certificate, ContentInfo, SignedData, type SignerInfo } from 'pkijs';
import { isWithinLimits } from '../../../trust/certificates/asn1-limits.ts';
import { digestOf, readCertificate, type ReadCertificate } from '../../../trust/certificates/certificate.ts';
import { refused } from '../../../trust/certificates/refused.ts';
import { digestName, isStrongSignature } from '../../../trust/certificates/strength.ts';

/** A signature that holds over the content, by the key of `signer`; the certificates are still to be validated. */
export interface CmsSignature {
  readonly signer: ReadCertificate;
  /** Certificates that came along, the signer's among them. */
  readonly certificates: readonly ReadCertificate[];
}

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
} as const;
/** More than any signature with its certificates needs, in bytes; reading ASN.1 costs memory. */
const sizeLimit = 256 * 1024;
const mostCertificates = 10;

/** Checks a CMS signature (RFC 5652, DER or BER), attached or detached, over exactly `content`. Throws a refusal. */
export async function checkCms(cms: Buffer, content: Buffer): Promise<CmsSignature> {
  const signed = parse(cms);
  const [signerInfo, second] = signed.signerInfos;
  if (signerInfo === undefined) throw refused('firma_ausente');
  if (second !== undefined) throw refused('firma_multiple');
  checkContent(signed, content);
  checkAlgorithms(signerInfo);
  checkAttributes(signerInfo, content);
  const signer = await signerOf(signed, content);
  return { signer, certificates: certificatesOf(signed) };
}

function parse(cms: Buffer): SignedData {
  if (cms.length > sizeLimit || !isWithinLimits(cms)) throw refused('firma_ilegible');
  try {
    const info = ContentInfo.fromBER(Uint8Array.from(cms));
    if (info.contentType !== oids.signedData) throw new Error(`content of type ${info.contentType}`);
    return new SignedData({ schema: info.content });
  } catch (error) {
    throw refused('firma_ilegible', error);
  }
}

/** The content of an attached signature must be the statement itself. */
function checkContent({ encapContentInfo: { eContentType, eContent } }: SignedData, content: Buffer): void {
  if (eContentType !== oids.data) throw refused('firma_ilegible');
  if (eContent !== undefined && !content.equals(Buffer.from(eContent.getValue())))
    throw refused('firma_de_otro_documento');
}

function checkAlgorithms({ digestAlgorithm, signatureAlgorithm }: SignerInfo): void {
  const digest = digestAlgorithm.algorithmId;
  const named = digestOf(signatureAlgorithm);
  const strong =
    isStrongSignature(signatureAlgorithm.algorithmId, named ?? digest) && (named === null || named === digest);
  if (digestName(digest) === null || !strong) throw refused('firma_insegura');
}

/** Signed attributes name the kind and the digest of the content, each once. */
function checkAttributes({ signedAttrs, digestAlgorithm }: SignerInfo, content: Buffer): void {
  if (signedAttrs === undefined) return;
  const only = (oid: string): { readonly valueBlock: unknown } => {
    const [attribute, second] = signedAttrs.attributes.filter(({ type }) => type === oid);
    if (attribute?.values.length !== 1 || second !== undefined) throw refused('firma_ilegible');
    return attribute.values[0];
  };
  if (String(only(oids.contentType).valueBlock) !== oids.data) throw refused('firma_ilegible');
  const digest = createHash(digestName(digestAlgorithm.algorithmId) ?? '')
    .update(content)
    .digest();
  const { valueHexView: told } = only(oids.messageDigest).valueBlock as { readonly valueHexView?: Uint8Array }; // an octet string, or nothing
  if (told === undefined || !digest.equals(told)) throw refused('firma_de_otro_documento');
}

async function signerOf(signed: SignedData, content: Buffer): Promise<ReadCertificate> {
  try {
    const data = Uint8Array.from(content).buffer;
    const { signatureVerified, signerCertificate } = await signed.verify({
      signer: 0,
      data,
      checkChain: false,
      extendedMode: true,
    });
    if (signatureVerified !== true || !(signerCertificate instanceof Certificate))
      throw new Error('the signature does not hold');
    return readOne(signerCertificate);
  } catch (error) {
    throw refused('firma_invalida', error);
  }
}

function certificatesOf({ certificates = [] }: SignedData): readonly ReadCertificate[] {
  if (certificates.length > mostCertificates) throw refused('firma_ilegible');
  try {
    return certificates.filter((certificate) => certificate instanceof Certificate).map(readOne);
  } catch (error) {
    throw refused('firma_ilegible', error);
  }
}

function readOne(certificate: Certificate): ReadCertificate {
  return readCertificate(new Uint8Array(certificate.toSchema().toBER()));
}
