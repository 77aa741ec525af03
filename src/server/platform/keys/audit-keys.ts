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

/** Ed25519 public key as a JWK. */
export interface AuditPublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** Key that seals the audit log and signs backups. `kid` is the RFC 7638 thumbprint of the public key. Signatures are in base64url. */
export interface AuditKey {
  readonly kid: string;
  readonly publicJwk: AuditPublicKey;
  /** Key of row digests, derived from the private key, so that all replicas compute the same digests. */
  readonly digestKey: KeyObject;
  sign(text: string): string;
  isValidSignature(signature: string, text: string): boolean;
}

export function generateAuditKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Parses the key of the audit log. Throws if the PEM is not an Ed25519 private key. */
export async function parseAuditKey(pem: string): Promise<AuditKey> {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error('AUDIT_KEY or audit.pem must hold an Ed25519 private key in PKCS#8');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  // Derived from the private key's seed by HKDF (RFC 5869), so that the private key itself is used only for signatures
  const digestKey = hkdfSync('sha256', Buffer.from(d, 'base64url'), '', 'audit row digest', 32);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    digestKey: createSecretKey(Buffer.from(digestKey)),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url'),
    isValidSignature: (signature, text) => isValidAuditSignature(signature, text, publicJwk),
  };
}

export function isValidAuditSignature(signature: string, text: string, publicJwk: AuditPublicKey): boolean {
  const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}
