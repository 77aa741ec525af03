import 'reflect-metadata'; // must be imported before `@peculiar/x509`, which requires it
import * as x509 from '@peculiar/x509';

/** A certificate with its key pair, and the authority that issued it. */
export interface IssuedCertificate {
  readonly certificate: x509.X509Certificate;
  readonly keys: CryptoKeyPair;
}

/** Options of a test certificate. The defaults make it valid. */
export interface CertificateOptions {
  readonly subject?: string;
  readonly issuer?: IssuedCertificate | null;
  /** Start and end of the validity, in days from `now`. */
  readonly days?: readonly [from: number, to: number];
  readonly algorithm?: keyof typeof algorithms;
  /** Existing key pair. It saves the quarter of a second that generating an RSA key pair takes. */
  readonly keys?: CryptoKeyPair;
  /** Hash algorithm of the issuer's signature. */
  readonly digest?: 'SHA-1' | 'SHA-256';
  readonly extensions?: readonly x509.Extension[];
}

const dayMs = 24 * 60 * 60 * 1000;
const rsa = { name: 'RSASSA-PKCS1-v1_5', publicExponent: new Uint8Array([1, 0, 1]) } as const;
/** Key algorithms by short name. */
export const algorithms = {
  rsa2048: { ...rsa, modulusLength: 2048, hash: 'SHA-256' },
  rsa1024: { ...rsa, modulusLength: 1024, hash: 'SHA-256' },
  pss: { ...rsa, name: 'RSA-PSS', modulusLength: 2048, hash: 'SHA-256' },
  p256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  p384: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  ed25519: { name: 'Ed25519' },
  p521: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
} as const;

export const keyUsageFlags = x509.KeyUsageFlags;
export const createKeyUsage = (flags: number): x509.Extension => new x509.KeyUsagesExtension(flags, true);
export const createExtendedKeyUsage = (...purposes: string[]): x509.Extension =>
  new x509.ExtendedKeyUsageExtension(purposes);
export const createAuthorityExtensions = (pathLength?: number): x509.Extension[] => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  createKeyUsage(keyUsageFlags.keyCertSign | keyUsageFlags.cRLSign),
];
export const createExtension = (oid: string, critical: boolean, value: Uint8Array<ArrayBuffer>): x509.Extension =>
  new x509.Extension(oid, critical, value);
/** Creates a distribution point extension with the URL of a revocation list. */
export const createCrlDistributionPoint = (address: string): x509.Extension =>
  new x509.CRLDistributionPointsExtension([address]);
/** Creates a critical extension that no verifier supports. */
export const createUnknownCriticalExtension = (): x509.Extension =>
  new x509.Extension('1.2.3.4.5', true, new Uint8Array([5, 0]));

let serial = 0;

/** Issues a certificate. It is self-signed if there is no issuer. */
export async function issueCertificate(now: Date, options: CertificateOptions): Promise<IssuedCertificate> {
  const {
    subject = 'CN=Autoridad de prueba',
    issuer = null,
    days = [-1, 365],
    algorithm = 'p256',
    digest = 'SHA-256',
  } = options;
  const keys = options.keys ?? (await generateKeys(algorithm));
  const signer = issuer ?? { certificate: null, keys };
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: String(++serial).padStart(4, '0'),
    subject,
    issuer: signer.certificate?.subject ?? subject,
    notBefore: new Date(now.getTime() + days[0] * dayMs),
    notAfter: new Date(now.getTime() + days[1] * dayMs),
    publicKey: keys.publicKey,
    signingKey: signer.keys.privateKey,
    signingAlgorithm: { ...signer.keys.privateKey.algorithm, hash: digest } as EcdsaParams,
    extensions: [await x509.SubjectKeyIdentifierExtension.create(keys.publicKey), ...(options.extensions ?? [])],
  });
  return { certificate, keys };
}

export async function generateKeys(algorithm: keyof typeof algorithms): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey(algorithms[algorithm], true, ['sign', 'verify'])) as CryptoKeyPair; // the cast is safe, because the algorithms above all generate key pairs
}

/** Issues a self-signed certificate of an authority. */
export function issueRoot(now: Date, options: CertificateOptions = {}): Promise<IssuedCertificate> {
  return issueCertificate(now, { extensions: createAuthorityExtensions(), ...options });
}

/** Issues a person's signing certificate. */
export function issuePerson(
  now: Date,
  issuer: IssuedCertificate,
  serialNumber: string,
  options: CertificateOptions = {},
): Promise<IssuedCertificate> {
  return issueCertificate(now, {
    subject: `CN=María Fernández, 2.5.4.5=${serialNumber}, C=UY`,
    issuer,
    extensions: [createKeyUsage(keyUsageFlags.digitalSignature | keyUsageFlags.nonRepudiation)],
    ...options,
  });
}

export function encodePem(...issued: readonly IssuedCertificate[]): string {
  return issued.map(({ certificate }) => certificate.toString('pem')).join('\n');
}

export async function encodePrivateKey({ keys }: IssuedCertificate): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}

/** Issues an authority's revocation list in PEM. */
export async function createRevocationList(
  now: Date,
  issuer: IssuedCertificate,
  revoked: readonly IssuedCertificate[],
  days: readonly [number, number] = [-1, 30],
  extensions: readonly x509.Extension[] = [],
  ofEntries: readonly x509.Extension[] = [],
): Promise<string> {
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: new Date(now.getTime() + days[0] * dayMs),
    nextUpdate: new Date(now.getTime() + days[1] * dayMs),
    entries: revoked.map(({ certificate }) => ({
      serialNumber: certificate.serialNumber,
      revocationDate: now,
      reason: x509.X509CrlReason.keyCompromise,
      extensions: [...ofEntries],
    })),
    extensions: [...extensions],
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: { ...issuer.keys.privateKey.algorithm, hash: 'SHA-256' } as EcdsaParams,
  });
  return `-----BEGIN X509 CRL-----\n${Buffer.from(list.rawData).toString('base64')}\n-----END X509 CRL-----\n`;
}
