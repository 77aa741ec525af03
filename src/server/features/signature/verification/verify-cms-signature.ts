import { createHash } from 'node:crypto';
import { OctetString, Sequence, type AsnType } from 'asn1js';
import { Certificate, ContentInfo, SignedData, type SignerInfo } from 'pkijs';
import {
  isWithinAsn1Limits,
  findPssDigestOid,
  parseCertificate,
  type ParsedCertificate,
  createSignatureRefusalError,
  findAcceptedDigestName,
  isStrongSignatureAlgorithm,
} from '../../../trust/certificates/certificate.ts';

const oids = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const;
/** Maximum size of a signature in bytes, because parsing ASN.1 takes memory. Signatures with their certificates are smaller. */
const maxCmsBytes = 256 * 1024;
const maxCertificates = 10;

/** Verifies a CMS signature (RFC 5652, DER or BER) over exactly `content`. The returned certificates are not validated yet. */
export async function verifyCmsSignature(cms: Buffer, content: Buffer) {
  const signed = parseSignedData(cms);
  const [signerInfo, second] = signed.signerInfos;
  if (signerInfo === undefined) throw createSignatureRefusalError('firma_ausente');
  if (second !== undefined) throw createSignatureRefusalError('firma_multiple');
  checkContent(signed, content);
  checkAlgorithms(signerInfo);
  checkAttributes(signerInfo, content);
  const certificates = readCertificates(signed);
  const signer = certificates.get(await findSigner(signed, content));
  if (signer === undefined)
    throw createSignatureRefusalError('firma_invalida', new Error('the certificate did not come along'));
  checkSigningCertificate(signerInfo, signer);
  return { signer, certificates: [...certificates.values()] };
}

function parseSignedData(cms: Buffer): SignedData {
  if (cms.length > maxCmsBytes || !isWithinAsn1Limits(cms)) throw createSignatureRefusalError('firma_ilegible');
  try {
    const info = ContentInfo.fromBER(Uint8Array.from(cms));
    if (info.contentType !== oids.signedData) throw new Error(`content of type ${info.contentType}`);
    return new SignedData({ schema: info.content });
  } catch (error) {
    throw createSignatureRefusalError('firma_ilegible', error);
  }
}

/** Throws if an attached signature has other content than the statement. */
function checkContent({ encapContentInfo: { eContentType, eContent } }: SignedData, content: Buffer): void {
  if (eContentType !== oids.data) throw createSignatureRefusalError('firma_ilegible');
  if (eContent !== undefined && !content.equals(Buffer.from(eContent.getValue())))
    throw createSignatureRefusalError('firma_de_otro_documento');
}

function checkAlgorithms({ digestAlgorithm, signatureAlgorithm }: SignerInfo): void {
  const digest = digestAlgorithm.algorithmId;
  const pssDigest = findPssDigestOid(signatureAlgorithm);
  const strong =
    isStrongSignatureAlgorithm(signatureAlgorithm.algorithmId, pssDigest ?? digest) &&
    (pssDigest === null || pssDigest === digest);
  if (findAcceptedDigestName(digest) === null || !strong) throw createSignatureRefusalError('firma_insegura');
}

/** Checks that the signed attributes contain the type and the digest of the content, each once. */
function checkAttributes({ signedAttrs, digestAlgorithm }: SignerInfo, content: Buffer): void {
  if (signedAttrs === undefined) return;
  const getOnlyAttribute = (oid: string): { readonly valueBlock: unknown } => {
    const [attribute, second] = signedAttrs.attributes.filter(({ type }) => type === oid);
    if (attribute?.values.length !== 1 || second !== undefined) throw createSignatureRefusalError('firma_ilegible');
    return attribute.values[0];
  };
  if (String(getOnlyAttribute(oids.contentType).valueBlock) !== oids.data)
    throw createSignatureRefusalError('firma_ilegible');
  const digest = createHash(findAcceptedDigestName(digestAlgorithm.algorithmId) ?? '')
    .update(content)
    .digest();
  const signed = getOnlyAttribute(oids.messageDigest).valueBlock as { readonly valueHexView?: Uint8Array }; // `undefined` if the digest is not an octet string
  if (!signed.valueHexView || !digest.equals(signed.valueHexView))
    throw createSignatureRefusalError('firma_de_otro_documento');
}

async function findSigner(signed: SignedData, content: Buffer): Promise<Certificate> {
  try {
    const asked = { signer: 0, data: Uint8Array.from(content).buffer, checkChain: false, extendedMode: true } as const;
    const { signatureVerified, signerCertificate } = await signed.verify(asked);
    if (signatureVerified !== true || !(signerCertificate instanceof Certificate))
      throw new Error('the signature does not hold');
    return signerCertificate;
  } catch (error) {
    throw createSignatureRefusalError('firma_invalida', error);
  }
}

/**
 * Checks that a signing-certificate attribute identifies the signer's certificate (RFC 5035, section 4), because another certificate may have the
 * same key.
 */
function checkSigningCertificate({ signedAttrs }: SignerInfo, { x509 }: ParsedCertificate): void {
  for (const { type, values } of signedAttrs?.attributes ?? []) {
    const usual = type === oids.signingCertificate ? 'sha1' : type === oids.signingCertificateV2 ? 'sha256' : null;
    if (usual === null) continue;
    const [first, second] = listItems(listItems(listItems(values[0])[0])[0]);
    const algorithm = first instanceof Sequence ? listItems(first)[0] : undefined;
    const digest = algorithm === undefined ? usual : findAcceptedDigestName(String(algorithm.valueBlock));
    const hash = algorithm === undefined ? first : second;
    const isSame =
      digest !== null &&
      hash instanceof OctetString &&
      createHash(digest).update(x509.raw).digest().equals(hash.valueBlock.valueHexView);
    if (values.length !== 1 || !isSame)
      throw createSignatureRefusalError('firma_invalida', new Error('signed with another certificate'));
  }
}

function listItems(value: unknown): readonly AsnType[] {
  return value instanceof Sequence ? value.valueBlock.value : [];
}

function readCertificates({ certificates = [] }: SignedData): ReadonlyMap<Certificate, ParsedCertificate> {
  if (certificates.length > maxCertificates) throw createSignatureRefusalError('firma_ilegible');
  try {
    const own = certificates.filter((certificate) => certificate instanceof Certificate);
    return new Map(
      own.map((certificate) => [certificate, parseCertificate(new Uint8Array(certificate.toSchema().toBER()))]),
    );
  } catch (error) {
    throw createSignatureRefusalError('firma_ilegible', error);
  }
}
