import { X509Certificate, type KeyObject } from 'node:crypto';
import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto';
import type { JwsSigner } from '../../../platform/keys/jws-signer.ts';
import { xmlMessageLimits } from '../xml/xml-limits.ts';
import {
  createXmlSigningAlgorithm,
  isAcceptedSignatureAlgorithm,
  getSignatureAlgorithmUri,
  isValidXmlSignatureValue,
  addEcdsaAlgorithms,
} from './xml-signature-algorithms.ts';
import { samlNamespaces, SamlError } from './saml-constants.ts';
import { readXmlAttribute, findXmlChild, listXmlChildren, listXmlChildElements, parseXml } from './xml.ts';

const canonicalizationUri = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const envelopedSignatureUri = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const sha256Uri = 'http://www.w3.org/2001/04/xmlenc#sha256';

const acceptedDigestUris: readonly string[] = [
  sha256Uri,
  'http://www.w3.org/2001/04/xmldsig-more#sha384',
  'http://www.w3.org/2001/04/xmlenc#sha512',
];

const maxPrefixListLength = 200;

export interface SigningCredential {
  readonly signer: JwsSigner;
  readonly certificate: string;
}

/** RSA credential of a signing key, and the P-256 credential that is derived from it and rotates with it. */
export interface SamlKeyCredentials extends SigningCredential {
  readonly ec: SigningCredential;
}

/** The first credential signs. The others belong to earlier keys that are still trusted, or to keys for the next rotation. */
export type ListSigningCredentials = () => readonly [SamlKeyCredentials, ...SamlKeyCredentials[]];

export function selectSigningCredential(
  credentials: ReturnType<ListSigningCredentials>,
  {
    registration: { profile, signingAlg = profile === 'saml2int' ? 'ES256' : 'RS256' },
  }: { readonly registration: { readonly profile?: string | undefined; readonly signingAlg?: string | undefined } },
): SigningCredential {
  return signingAlg === 'ES256' ? credentials[0].ec : credentials[0];
}

export function isSignedElement(root: Element): boolean {
  return listXmlChildren(root, samlNamespaces.signature, 'Signature').length > 0;
}

/**
 * Returns the root, parsed again from the exact bytes that the signature covers, so that unsigned content is never read. Throws a `SamlError` unless
 * one signature, directly below the root, covers the whole root with an accepted algorithm and a key of `certificates` (PEM from the metadata; certificates in the message are ignored).
 */
export function verifyXmlSignature(
  xml: string,
  certificates: readonly string[],
  root = parseXml(xml),
  bounds = xmlMessageLimits,
): Element {
  const id = readXmlAttribute(root, 'ID') ?? '';
  const signature = findXmlChild(root, samlNamespaces.signature, 'Signature');
  if (signature === null) throw new SamlError('the message is not signed');
  if (!/^[A-Za-z_][\w.-]*$/.test(id)) throw new SamlError('the signed element has no proper ID');
  const parts = readSignatureParts(signature);
  assertSignatureProfile(parts, id);
  const certificate = findSigner(parts, certificates);
  const signed = certificate === undefined ? null : extractSignedBytes(xml, signature, certificate);
  if (signed === null) throw new SamlError('no trusted certificate matches the signature');
  const believed = parseXml(signed, bounds);
  if (
    believed.localName !== root.localName ||
    believed.namespaceURI !== root.namespaceURI ||
    readXmlAttribute(believed, 'ID') !== id
  )
    throw new SamlError('the signature covers another element');
  return believed;
}

/** Accepts one form of signature, because other forms would let the sender choose how the verifier transforms the content. */
function assertSignatureProfile(parts: SignatureParts, id: string): void {
  const { reference, transforms } = parts;
  const believed =
    parts.canonicalization === canonicalizationUri &&
    isAcceptedSignatureAlgorithm(parts.signatureMethod) &&
    acceptedDigestUris.includes(parts.digestMethod);
  if (!believed) throw new SamlError('the signature algorithm is not allowed');
  if (reference !== `#${id}`) throw new SamlError('the signature does not cover the whole message');
  if (transforms.join(' ') !== `${envelopedSignatureUri} ${canonicalizationUri}`)
    throw new SamlError('the signature transforms what it covers');
}

/** Finds the certificate without xml-crypto, which would search the whole document per certificate: an unauthenticated document may be large. */
function findSigner({ info, signatureMethod, value }: SignatureParts, certificates: readonly string[]) {
  const signed = Buffer.from(new ExclusiveCanonicalization().process(info, {}));
  return certificates.find((certificate) =>
    isValidXmlSignatureValue(signatureMethod, signed, readCertificatePublicKey(certificate), value),
  );
}

/** Returns the signed content. Returns `null` if the signature is invalid for this certificate. */
function extractSignedBytes(xml: string, signature: Element, certificate: string): string | null {
  const verifier = addEcdsaAlgorithms(new SignedXml({ publicCert: certificate, getCertFromKeyInfo: () => null }));
  try {
    verifier.loadSignature(signature);
    if (!verifier.checkSignature(xml)) return null;
    const [signed, ...more] = verifier.getSignedReferences();
    return signed !== undefined && more.length === 0 ? signed : null;
  } catch {
    return null; // malformed signatures throw
  }
}

type SignatureParts = ReturnType<typeof readSignatureParts>;

/**
 * Throws unless the signature has one SignedInfo with one Reference and two transforms, one SignatureValue, at most one KeyInfo, and nothing else (XML
 * Signature 1.1, section 4).
 */
function readSignatureParts(signature: Element) {
  assertChildElements(signature, ['SignedInfo', 'SignatureValue'], ['KeyInfo']);
  const info = getChild(signature, 'SignedInfo');
  assertChildElements(info, ['CanonicalizationMethod', 'SignatureMethod', 'Reference']);
  const reference = getChild(info, 'Reference');
  assertChildElements(reference, ['Transforms', 'DigestMethod', 'DigestValue']);
  const transforms = getChild(reference, 'Transforms');
  assertChildElements(transforms, ['Transform', 'Transform']);
  const [enveloped, canonical] = listXmlChildElements(transforms);
  const canonicalization = getChild(info, 'CanonicalizationMethod');
  const signatureMethod = getChild(info, 'SignatureMethod');
  const digestMethod = getChild(reference, 'DigestMethod');
  const value = getChild(signature, 'SignatureValue');
  for (const leaf of [canonicalization, signatureMethod, digestMethod, getChild(reference, 'DigestValue'), value])
    assertChildElements(leaf, []);
  if (enveloped !== undefined) assertChildElements(enveloped, []);
  if (canonical !== undefined) assertPrefixList(canonical);
  const algorithm = (element: Element | undefined): string => (element && readXmlAttribute(element, 'Algorithm')) ?? '';
  return {
    info,
    canonicalization: algorithm(canonicalization),
    signatureMethod: algorithm(signatureMethod),
    reference: readXmlAttribute(reference, 'URI') ?? '',
    transforms: [algorithm(enveloped), algorithm(canonical)],
    digestMethod: algorithm(digestMethod),
    value: Buffer.from(value.textContent ?? '', 'base64'),
  };
}

/** Throws unless an element has exactly these children in this order, optionally followed by the elements in `optional`. */
function assertChildElements(parent: Element, names: readonly string[], optional: readonly string[] = []): void {
  const found = listXmlChildElements(parent);
  const expected = [...names, ...optional];
  const fits =
    found.length >= names.length &&
    found.every(
      (element, index) => element.namespaceURI === samlNamespaces.signature && element.localName === expected[index],
    );
  if (!fits) throw new SamlError('the signature is malformed');
}

function getChild(parent: Element, name: string): Element {
  const found = findXmlChild(parent, samlNamespaces.signature, name);
  if (found === null) throw new SamlError('the signature is malformed');
  return found;
}

/** Throws if a transform has more than one PrefixList or a long one, because the canonicalization looks for each prefix in every element. */
function assertPrefixList(transform: Element): void {
  const [list, second] = listXmlChildElements(transform);
  if (list === undefined) return;
  const fits =
    second === undefined && list.namespaceURI === canonicalizationUri && list.localName === 'InclusiveNamespaces';
  if (!fits || (readXmlAttribute(list, 'PrefixList') ?? '').length > maxPrefixListLength)
    throw new SamlError('the signature is malformed');
}

export async function signXmlElement(
  xml: string,
  { id, hasIssuer }: { id: string; hasIssuer: boolean },
  { signer, certificate }: SigningCredential,
): Promise<string> {
  const element = `//*[@ID='${id}']`;
  const algorithm = getSignatureAlgorithmUri(signer);
  const signed = new SignedXml({
    privateKey: 'of the signer',
    publicCert: certificate,
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: canonicalizationUri,
  });
  signed.SignatureAlgorithms = { [algorithm]: createXmlSigningAlgorithm(signer) };
  signed.addReference({
    xpath: element,
    transforms: [envelopedSignatureUri, canonicalizationUri],
    digestAlgorithm: sha256Uri,
  });
  const [reference, action] = hasIssuer
    ? ([`${element}/*[local-name()='Issuer']`, 'after'] as const)
    : ([element, 'prepend'] as const);
  await new Promise<void>((resolve, reject) => {
    signed.computeSignature(xml, { prefix: 'ds', location: { reference, action } }, (error) =>
      error ? reject(error) : resolve(),
    );
  });
  return signed.getSignedXml();
}

export function readCertificatePublicKey(certificate: string): KeyObject {
  return new X509Certificate(certificate).publicKey;
}

/** Returns the length of the shortest RSA key in bits. Returns `Infinity` if there is none. */
export function findShortestRsaKeyBits(certificates: readonly string[]): number {
  return Math.min(
    ...certificates.map((pem) => readCertificatePublicKey(pem).asymmetricKeyDetails?.modulusLength ?? Infinity),
  );
}
