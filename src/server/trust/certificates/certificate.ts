import { X509Certificate } from 'node:crypto';
import {
  BasicConstraints,
  Certificate,
  ExtKeyUsage,
  RSASSAPSSParams,
  type AlgorithmIdentifier,
  type Extension,
} from 'pkijs';
import { isWithinLimits } from './asn1-limits.ts';
import { isPss, isStrongKey, isStrongSignature } from './strength.ts';

/** A certificate as both readers see it: OpenSSL's, which verifies names and signatures, and the one that shows extensions. */
export interface ReadCertificate {
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

/** Extensions that may be critical: what they say is checked here, or concerns nobody who checks a signature. */
const understood: ReadonlySet<string> = new Set([
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

/** Extended usages of a person's certificate: any, client authentication, e-mail, signing of documents (RFC 9336, and Microsoft's). */
const personalUsages: ReadonlySet<string> = new Set([
  '2.5.29.37.0',
  '1.3.6.1.5.5.7.3.2',
  '1.3.6.1.5.5.7.3.4',
  '1.3.6.1.5.5.7.3.36',
  '1.3.6.1.4.1.311.10.3.12',
]);

/** Extended usages of a certificate that authenticates its holder: of clients, and Microsoft's of smart cards. */
const authenticationUsages: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.2', '1.3.6.1.4.1.311.20.2.2']);

/** Bits of the first byte of a key usage. */
const usageBits = { digitalSignature: 0x80, nonRepudiation: 0x40 } as const;

/** Reads a certificate in DER; throws if it is none, or has more parts than any honest one. */
export function readCertificate(der: Uint8Array): ReadCertificate {
  if (!isWithinLimits(der)) throw new Error('a certificate of too many parts');
  const x509 = new X509Certificate(der);
  return { x509, parsed: Certificate.fromBER(Uint8Array.from(x509.raw)) };
}

/** Whether a certificate is valid at an instant by its own dates. */
export function isCurrent({ parsed }: ReadCertificate, now: Date): boolean {
  return parsed.notBefore.value <= now && now <= parsed.notAfter.value;
}

/** Whether nothing critical in a certificate is unknown to us. */
export function isUnderstood({ parsed }: ReadCertificate): boolean {
  return (parsed.extensions ?? []).every(({ critical, extnID }) => !critical || understood.has(extnID));
}

/** Whether the key of a certificate and the signature on it are strong. */
export function isStrong({ x509, parsed }: ReadCertificate): boolean {
  const { algorithmId } = parsed.signatureAlgorithm;
  return isStrongKey(x509.publicKey) && isStrongSignature(algorithmId, digestOf(parsed.signatureAlgorithm));
}

/** The digest that the parameters of RSA-PSS name; null for other algorithms. Without a name it is SHA-1. */
export function digestOf({ algorithmId, algorithmParams }: AlgorithmIdentifier): string | null {
  if (!isPss(algorithmId)) return null;
  const { hashAlgorithm, maskGenAlgorithm } = new RSASSAPSSParams({ schema: algorithmParams });
  const mask: unknown = maskGenAlgorithm.algorithmParams?.valueBlock?.value?.[0]?.valueBlock?.toString();
  return mask === hashAlgorithm.algorithmId ? hashAlgorithm.algorithmId : null;
}

/** Whether a certificate is a person's that may sign: no authority, not its own issuer, its usages allow it. */
export function maySignDocuments({ x509, parsed }: ReadCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = firstByte(extension(parsed, oids.keyUsage));
  if ((usage & (usageBits.digitalSignature | usageBits.nonRepudiation)) === 0) return false;
  const extended = extension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return !(extended instanceof ExtKeyUsage) || extended.keyPurposes.some((purpose) => personalUsages.has(purpose));
}

/** Whether a certificate is a person's that may authenticate at a server: no authority, not its own issuer, its usages allow it. */
export function mayAuthenticate({ x509, parsed }: ReadCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = extension(parsed, oids.keyUsage);
  if (usage !== undefined && (firstByte(usage) & usageBits.digitalSignature) === 0) return false;
  const extended = extension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return extended instanceof ExtKeyUsage && extended.keyPurposes.some((purpose) => authenticationUsages.has(purpose));
}

/** How many authorities may stand below an authority in a path; Infinity where it does not say. Null: it is no authority. */
export function authorityDepth({ x509, parsed }: ReadCertificate): number | null {
  const constraints = extension(parsed, oids.basicConstraints)?.parsedValue;
  if (!x509.ca || !(constraints instanceof BasicConstraints)) return null;
  const { pathLenConstraint: most } = constraints;
  return typeof most === 'number' ? most : most === undefined ? Infinity : most.valueBlock.valueDec;
}

/** What the subject of a certificate says of the holder's document: the one serial number, and the country beside it; null where either comes twice. */
export function subjectDocument({
  parsed,
}: ReadCertificate): { readonly serialNumber: string; readonly country: string | null } | null {
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

function extension({ extensions = [] }: Certificate, oid: string): Extension | undefined {
  return extensions.find(({ extnID }) => extnID === oid);
}

function firstByte(usage: Extension | undefined): number {
  const bits: unknown = usage?.parsedValue?.valueBlock?.valueHexView;
  return bits instanceof Uint8Array ? (bits[0] ?? 0) : 0;
}
