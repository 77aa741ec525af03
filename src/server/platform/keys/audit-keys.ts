import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hkdfSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

/** Public key of a key that seals the audit log: Ed25519 as a JWK. */
export interface AuditPublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** Key that seals the audit log. `kid` is the RFC 7638 thumbprint of its public key. */
export interface AuditKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: AuditPublicKey;
  /** Key of row digests. It is derived from the private key, so replicas with the same keys agree. */
  readonly digestKey: KeyObject;
}

export function makeAuditKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Throws if the key is not Ed25519. */
export async function readAuditKey(pem: string): Promise<AuditKey> {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('AUDIT_KEY or audit.pem must hold an Ed25519 private key in PKCS#8');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    privateKey,
    publicJwk,
    digestKey: deriveDigestKey(privateKey),
  };
}

/** Derives the digest key from the seed by HKDF (RFC 5869), so that the signing key itself has one use only. */
function deriveDigestKey(privateKey: KeyObject): KeyObject {
  const { d = '' } = privateKey.export({ format: 'jwk' });
  return createSecretKey(Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'audit row digest', 32)));
}

export function signText(text: string, { privateKey }: AuditKey): string {
  return sign(null, Buffer.from(text), privateKey).toString('base64url');
}

export function isSignature(signature: string, text: string, publicJwk: AuditPublicKey): boolean {
  return verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { ...publicJwk }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
}
