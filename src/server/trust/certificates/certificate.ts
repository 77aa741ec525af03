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

/** A certificate parsed by two libraries: OpenSSL verifies names and signatures, pkijs gives access to the extensions. */
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

/** Extensions that may be critical. They are either checked here or irrelevant to verifying a signature. */
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

/** Extended key usages of a personal certificate: any, client authentication, e-mail, document signing (RFC 9336 and Microsoft's). */
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
export function readCertificate(der: Uint8Array): ReadCertificate {
  if (!isWithinLimits(der)) throw new Error('a certificate of too many parts');
  const x509 = new X509Certificate(der);
  return { x509, parsed: Certificate.fromBER(Uint8Array.from(x509.raw)) };
}

/** Checks the validity period, not revocation. */
export function isCurrent({ parsed }: ReadCertificate, now: Date): boolean {
  return parsed.notBefore.value <= now && now <= parsed.notAfter.value;
}

/** Whether every critical extension is one that we handle. */
export function isUnderstood({ parsed }: ReadCertificate): boolean {
  return (parsed.extensions ?? []).every(({ critical, extnID }) => !critical || understood.has(extnID));
}

export function isStrong({ x509, parsed }: ReadCertificate): boolean {
  const { algorithmId } = parsed.signatureAlgorithm;
  return isStrongKey(x509.publicKey) && isStrongSignature(algorithmId, digestOf(parsed.signatureAlgorithm));
}

/** Object identifier of the RSASSA-PSS digest (default: SHA-1). Returns `null` for other algorithms, or if MGF1 uses another digest. */
export function digestOf({ algorithmId, algorithmParams }: AlgorithmIdentifier): string | null {
  if (!isPss(algorithmId)) return null;
  const { hashAlgorithm, maskGenAlgorithm } = new RSASSAPSSParams({ schema: algorithmParams });
  const mask: unknown = maskGenAlgorithm.algorithmParams?.valueBlock?.value?.[0]?.valueBlock?.toString();
  return mask === hashAlgorithm.algorithmId ? hashAlgorithm.algorithmId : null;
}

/** Whether this is a personal certificate (not a CA, not self-signed) whose key usages allow document signing. */
export function maySignDocuments({ x509, parsed }: ReadCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = firstByte(extension(parsed, oids.keyUsage));
  if ((usage & (usageBits.digitalSignature | usageBits.nonRepudiation)) === 0) return false;
  const extended = extension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return !(extended instanceof ExtKeyUsage) || extended.keyPurposes.some((purpose) => personalUsages.has(purpose));
}

export function mayAuthenticate({ x509, parsed }: ReadCertificate): boolean {
  if (x509.ca || x509.issuer === x509.subject) return false;
  const usage = extension(parsed, oids.keyUsage);
  if (usage !== undefined && (firstByte(usage) & usageBits.digitalSignature) === 0) return false;
  const extended = extension(parsed, oids.extendedKeyUsage)?.parsedValue;
  return extended instanceof ExtKeyUsage && extended.keyPurposes.some((purpose) => authenticationUsages.has(purpose));
}

/** Path length constraint, or `Infinity` if there is none. Returns `null` if it is not a CA certificate. */
export function authorityDepth({ x509, parsed }: ReadCertificate): number | null {
  const constraints = extension(parsed, oids.basicConstraints)?.parsedValue;
  if (!x509.ca || !(constraints instanceof BasicConstraints)) return null;
  const { pathLenConstraint: most } = constraints;
  return typeof most === 'number' ? most : most === undefined ? Infinity : most.valueBlock.valueDec;
}

/** Serial number and country of the subject. Returns `null` if the serial number is missing or either attribute is repeated. */
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
