import { X509Certificate, type KeyObject } from 'node:crypto';
import {
  BasicConstraints,
  Certificate,
  ExtKeyUsage,
  RSASSAPSSParams,
  type AlgorithmIdentifier,
  type Extension,
} from 'pkijs';
import { OperationError } from '../../platform/base/errors.ts';

const digestAlgorithms: ReadonlyMap<string, string> = new Map([
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
]);

const rsa = '1.2.840.113549.1.1.1';
const rsaPss = '1.2.840.113549.1.1.10';
/** Accepted signature algorithms: RSA and ECDSA, each with one of the digests above. */
const signatureAlgorithms: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
]);

/** Allowed size of an RSA modulus in bits. Smaller keys are too weak, and larger keys take too long to verify. */
const rsaBits = { fewest: 2048, most: 8192 } as const;
const acceptedCurves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

export function findAcceptedDigestName(oid: string): string | null {
  return digestAlgorithms.get(oid) ?? null;
}

/** `digest` is for algorithms whose object identifier does not specify a digest (plain RSA, RSASSA-PSS). */
export function isStrongSignatureAlgorithm(oid: string, digest: string | null): boolean {
  if (oid === rsa || oid === rsaPss) return digest !== null && findAcceptedDigestName(digest) !== null;
  return signatureAlgorithms.has(oid);
}

function isStrongKey({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (kind === 'rsa' || kind === 'rsa-pss') {
    const bits = details?.modulusLength ?? 0;
    return bits >= rsaBits.fewest && bits <= rsaBits.most;
  }
  return kind === 'ec' && acceptedCurves.has(details?.namedCurve ?? '');
}

/** Error codes of invalid signatures. Each is a key of `texts.json`. */
export const signatureRefusalCodes = [
  'firma_ilegible',
  'firma_ausente',
  'firma_multiple',
  'firma_de_otro_documento',
  'firma_parcial',
  'firma_con_agregados',
  'firma_sobre_el_texto',
  'firma_invalida',
  'firma_insegura',
  'certificado_no_vigente',
  'certificado_desconocido',
  'certificado_uso',
  'certificado_revocado',
  'certificado_sin_documento',
  'certificado_ajeno',
] as const;
export type SignatureRefusalCode = (typeof signatureRefusalCodes)[number];

export function createSignatureRefusalError(reason: SignatureRefusalCode, cause?: unknown): OperationError {
  return new OperationError(400, reason, { field: 'archivo', cause });
}

/** Limits for the ASN.1 of a signature. They exceed the size of a signature with ten certificates, a time stamp and revocation data. */
const asn1Limits = { nodes: 3000, children: 256, depth: 48, objectIdentifier: 64 } as const;
/** Bytes from which the content of a string is also counted: certificate extensions are DER structures inside octet strings. */
const minSearchedBytes = 128;
const asn1Tags = { bitString: 0x03, octetString: 0x04, objectIdentifier: 0x06, sequence: 0x30 } as const;
const indefinite = -1;

/** Whether BER (X.690) is small enough for asn1js, which takes up to half a millisecond per node, and seconds for a long object identifier. */
export function isWithinAsn1Limits(bytes: Uint8Array): boolean {
  const open: { readonly end: number; children: number }[] = []; // nodes that contain offset `at`; `end` is `indefinite` if a node does not encode its length
  let at = 0;
  let nodes = 0;
  do {
    const parent = open.at(-1);
    if (parent?.end === indefinite && bytes[at] === 0 && bytes[at + 1] === 0) {
      open.pop();
      at += 2;
    } else {
      const node = readNode(bytes, at);
      nodes += 1;
      if (node === null || nodes > asn1Limits.nodes || open.length >= asn1Limits.depth) return false;
      if (parent !== undefined && ++parent.children > asn1Limits.children) return false;
      const within = node.end === indefinite ? node.contents : node.end;
      if (within > (open.findLast(({ end }) => end !== indefinite)?.end ?? bytes.length)) return false;
      at = node.isOpen ? node.contents : node.end;
      if (node.isOpen) open.push({ end: node.end, children: 0 });
    }
    while (open.at(-1)?.end === at) open.pop();
  } while (open.length > 0);
  return true;
}

interface Node {
  readonly contents: number;
  readonly end: number;
  readonly isOpen: boolean;
}

/** Reads the header of a node. Returns `null` for invalid BER and for encodings that signatures do not use. */
function readNode(bytes: Uint8Array, at: number): Node | null {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return null;
  const isConstructed = (tag & 0x20) !== 0;
  if (first === 0x80) return isConstructed ? { contents: at + 2, end: indefinite, isOpen: true } : null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return null;
  const contents = at + 2 + lengthBytes;
  const length =
    lengthBytes === 0 ? first : bytes.subarray(at + 2, contents).reduce((sum, byte) => sum * 256 + byte, 0);
  const end = contents + length;
  if (end > bytes.length || (tag === asn1Tags.objectIdentifier && length > asn1Limits.objectIdentifier)) return null;
  if (isConstructed) return { contents, end, isOpen: true };
  const inner = tag === asn1Tags.octetString ? contents : tag === asn1Tags.bitString ? contents + 1 : end;
  const isOpen =
    length >= minSearchedBytes && bytes[inner] === asn1Tags.sequence && readNode(bytes, inner)?.end === end;
  return { contents: isOpen ? inner : contents, end, isOpen };
}

/** A certificate parsed by two libraries. OpenSSL (`x509`) verifies names and signatures, and pkijs (`parsed`) gives access to the extensions. */
export interface ParsedCertificate {
  readonly x509: X509Certificate;
  readonly parsed: Certificate;
}

const oids = {
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
} as const;

/** Extensions that a certificate may mark as critical, because this file checks them or they do not affect the validity of a signature. */
const knownCriticalExtensions: ReadonlySet<string> = new Set([
  oids.keyUsage,
  oids.basicConstraints,
  oids.extendedKeyUsage,
  '2.5.29.14',
  '2.5.29.17',
  '2.5.29.18',
  '2.5.29.31',
  '2.5.29.32',
  '2.5.29.35',
  '1.3.6.1.5.5.7.1.1',
  '1.3.6.1.5.5.7.1.3',
]);

/** Extended key usages of a personal certificate: any usage, client authentication, e-mail, document signing (RFC 9336 and Microsoft's). */
const personalUsages: ReadonlySet<string> = new Set([
  '2.5.29.37.0',
  '1.3.6.1.5.5.7.3.2',
  '1.3.6.1.5.5.7.3.4',
  '1.3.6.1.5.5.7.3.36',
  '1.3.6.1.4.1.311.10.3.12',
]);

/** Extended key usages of an authentication certificate: client authentication and Microsoft's smart card logon. */
const authenticationUsages: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '1.3.6.1.4.1.311.20.2.2']);

const usageBits = { digitalSignature: 0x80, nonRepudiation: 0x40 } as const;

/** Parses a certificate in DER. Throws if it is malformed or exceeds the ASN.1 limits. */
export function parseCertificate(der: Uint8Array): ParsedCertificate {
  if (!isWithinAsn1Limits(der)) throw new Error('a certificate of too many parts');
  const x509 = new X509Certificate(der);
  return { x509, parsed: Certificate.fromBER(Uint8Array.from(x509.raw)) };
}

export function isWithinValidityPeriod({ parsed }: ParsedCertificate, now: Date): boolean {
  return parsed.notBefore.value <= now && now <= parsed.notAfter.value;
}

export function hasKnownCriticalExtensions({ parsed }: ParsedCertificate): boolean {
  return (parsed.extensions ?? []).every(({ critical, extnID }) => !critical || knownCriticalExtensions.has(extnID));
}

export function hasStrongCertificateAlgorithms({ x509, parsed }: ParsedCertificate): boolean {
  const { algorithmId } = parsed.signatureAlgorithm;
  return (
    isStrongKey(x509.publicKey) && isStrongSignatureAlgorithm(algorithmId, findPssDigestOid(parsed.signatureAlgorithm))
  );
}

/** Returns the object identifier of the RSASSA-PSS digest (default: SHA-1). Returns `null` for other algorithms, or if MGF1 uses another digest. */
export function findPssDigestOid({ algorithmId, algorithmParams }: AlgorithmIdentifier): string | null {
  if (algorithmId !== rsaPss) return null;
  const { hashAlgorithm, maskGenAlgorithm } = new RSASSAPSSParams({ schema: algorithmParams });
  const mask: unknown = maskGenAlgorithm.algorithmParams?.valueBlock?.value?.[0]?.valueBlock?.toString();
  return mask === hashAlgorithm.algorithmId ? hashAlgorithm.algorithmId : null;
}

/** Whether this is a personal certificate, neither a CA's nor self-signed, whose key usages allow document signing. */
export function isDocumentSigningCertificate({ x509, parsed }: ParsedCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = readFirstByte(findExtension(parsed, oids.keyUsage));
  if ((usage & (usageBits.digitalSignature | usageBits.nonRepudiation)) === 0) return false;
  const extended = findExtension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return !(extended instanceof ExtKeyUsage) || extended.keyPurposes.some((purpose) => personalUsages.has(purpose));
}

export function isAuthenticationCertificate({ x509, parsed }: ParsedCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = findExtension(parsed, oids.keyUsage);
  if (usage !== undefined && (readFirstByte(usage) & usageBits.digitalSignature) === 0) return false;
  const extended = findExtension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return extended instanceof ExtKeyUsage && extended.keyPurposes.some((purpose) => authenticationUsages.has(purpose));
}

/** Returns how many CAs may follow below this CA. Returns `Infinity` without a constraint, and `null` if the certificate is not a CA's. */
export function getPathLengthConstraint({ x509, parsed }: ParsedCertificate): number | null {
  const constraints = findExtension(parsed, oids.basicConstraints)?.parsedValue;
  if (!x509.ca || !(constraints instanceof BasicConstraints)) return null;
  const { pathLenConstraint: most } = constraints;
  return typeof most === 'number' ? most : most === undefined ? Infinity : most.valueBlock.valueDec;
}

/** Returns the serial number and country of the subject. Returns `null` if the serial number is missing or either attribute is repeated. */
export function readSubjectSerialNumber({
  parsed,
}: ParsedCertificate): { readonly serialNumber: string; readonly country: string | null } | null {
  const values = (type: string) =>
    parsed.subject.typesAndValues
      .filter((entry) => entry.type === type)
      .map(({ value }) => String(value.valueBlock.value));
  const [serialNumber, second] = values(oids.serialNumber);
  const [country = null, otherCountry] = values(oids.country);
  return serialNumber === undefined || second !== undefined || otherCountry !== undefined
    ? null
    : { serialNumber, country };
}

function findExtension({ extensions = [] }: Certificate, oid: string): Extension | undefined {
  return extensions.find(({ extnID }) => extnID === oid);
}

function readFirstByte(usage: Extension | undefined): number {
  const bits: unknown = usage?.parsedValue?.valueBlock?.valueHexView;
  return bits instanceof Uint8Array ? (bits[0] ?? 0) : 0;
}
