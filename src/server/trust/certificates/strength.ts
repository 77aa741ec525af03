import type { KeyObject } from 'node:crypto';

const digests: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

const rsa = '1.2.840.113549.1.1.1';
const rsaPss = '1.2.840.113549.1.1.10';
/** RSA and ECDSA, each with one of the digests above. */
const signatures: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
]);

/** Bits of an RSA modulus. Smaller keys are too weak, and larger ones take too long to verify. */
const rsaBits = { fewest: 2048, most: 8192 } as const;
const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** Returns `null` for a digest that is not allowed, such as MD5 or SHA-1. */
export function digestName(oid: string): string | null {
  return Object.hasOwn(digests, oid) ? (digests[oid] ?? null) : null;
}

/** `digest` is for algorithms whose object identifier does not include one (plain RSA, RSASSA-PSS). */
export function isStrongSignature(oid: string, digest: string | null): boolean {
  if (oid === rsa || oid === rsaPss) return digest !== null && digestName(digest) !== null;
  return signatures.has(oid);
}

export function isPss(oid: string): boolean {
  return oid === rsaPss;
}

export function isStrongKey({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (kind === 'rsa' || kind === 'rsa-pss') {
    const bits = details?.modulusLength ?? 0;
    return bits >= rsaBits.fewest && bits <= rsaBits.most;
  }
  return kind === 'ec' && curves.has(details?.namedCurve ?? '');
}
