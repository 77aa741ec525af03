import { createHmac } from 'node:crypto';
import { encryptingKey, keyOf, type EncryptionKeys } from './encryption-keys.ts';
import { decrypt, encrypt } from './encryption.ts';

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
      const key = keyOf(keysNow(), sealed);
      if (key === undefined) throw new Error('sealed by a key that is not among those of the server');
      return decrypt(key.bytes, purpose, sealed.slice(sealed.indexOf('.') + 1));
    },
    digest: (purpose, text) =>
      createHmac('sha256', keysNow().derived.digest)
        .update(JSON.stringify([purpose, text]))
        .digest('hex'),
  };
}
