import type { KeyObject } from 'node:crypto';

/** SHA-256, SHA-384 and SHA-512. */
const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const rsa = '1.2.840.113549.1.1.1';
const rsaPss = '1.2.840.113549.1.1.10';
/** RSA and ECDSA with a digest of the list above. */
const signatures: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
]);

/** Bits of an RSA key: fewer are too weak, more cost too much time. */
const rsaBits = { fewest: 2048, most: 8192 } as const;
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Name of a digest algorithm that may be used, by its object identifier; null for MD5, SHA-1 and whatever else. */
export function digestName(oid: string): string | null {
  return Object.hasOwn(digests, oid) ? (digests[oid] ?? null) : null;
}

/**
 * Whether a signature algorithm is strong enough. `digest`: object identifier of the digest that goes with an algorithm that does not
 * name its own (RSA alone, RSA-PSS).
 */
export function isStrongSignature(oid: string, digest: string | null): boolean {
  if (oid === rsa || oid === rsaPss) return digest !== null && digestName(digest) !== null;
  return signatures.has(oid);
}

/** Whether the algorithm is RSA-PSS, whose parameters name the digest. */
export function isPss(oid: string): boolean {
  return oid === rsaPss;
}

/** Whether a key is an RSA key of 2048 to 8192 bits, or one of the curves P-256, P-384 and P-521. */
export function isStrongKey({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (kind === 'rsa' || kind === 'rsa-pss') {
    const bits = details?.modulusLength ?? 0;
    return bits >= rsaBits.fewest && bits <= rsaBits.most;
  }
  return kind === 'ec' && curves.has(details?.namedCurve ?? '');
}
