import { createHmac, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { encryptingKey, findSealingKey, type EncryptionKeys } from './encryption-keys.ts';

/** Keeps what the database must hold but its reader must not learn; everything is bound to the purpose it was made for. */
export interface Vault {
  seal(purpose: string, text: string): string;
  /** Throws when the text was sealed for another purpose or by another key. */
  open(purpose: string, sealed: string): string;
  /** HMAC-SHA-256 in hex: the stored form of codes, whose plain hash could be searched through. */
  digest(purpose: string, text: string): string;
}

/** A vault of the server's keys as they are at each use; digests have a key of their own, derived of the first. */
export function createVault(keysNow: () => EncryptionKeys, now: () => Date): Vault {
  return {
    seal(purpose, text) {
      const { id, since, bytes } = encryptingKey(keysNow(), now());
      const sealed = encrypt(bytes, purpose, text);
      return since === null ? sealed : `${id}.${sealed}`; // a version that knows one key alone reads what the first one sealed
    },
    open(purpose, sealed) {
      const key = findSealingKey(keysNow(), sealed);
      if (key === undefined) throw new Error('sealed by a key that is not among those of the server');
      return decrypt(key.bytes, purpose, sealed.slice(sealed.indexOf('.') + 1));
    },
    digest: (purpose, text) =>
      createHmac('sha256', keysNow().derived.digest)
        .update(JSON.stringify([purpose, text]))
        .digest('hex'),
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts by AES-256-GCM for the given purpose (bound as associated data); answers nonce, tag and cipher text in base64url. */
export function encrypt(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Opens what `encrypt` sealed; throws when key, purpose or text do not belong together. */
export function decrypt(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}
