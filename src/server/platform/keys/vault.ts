import { createHmac } from 'node:crypto';
import { decrypt, encrypt } from './encryption.ts';

/** Keeps what the database must hold but its reader must not learn; everything is bound to the purpose it was made for. */
export interface Vault {
  seal(purpose: string, text: string): string;
  /** Throws when the text was sealed for another purpose or by another key. */
  open(purpose: string, sealed: string): string;
  /** HMAC-SHA-256 in hex: the stored form of codes, whose plain hash could be searched through. */
  digest(purpose: string, text: string): string;
}

/** A vault of the server's 32 byte key; digests have a key of their own, derived of it. */
export function createVault(key: Buffer): Vault {
  const digestKey = createHmac('sha256', key).update('digest').digest();
  return {
    seal: (purpose, text) => encrypt(key, purpose, text),
    open: (purpose, sealed) => decrypt(key, purpose, sealed),
    digest: (purpose, text) =>
      createHmac('sha256', digestKey)
        .update(JSON.stringify([purpose, text]))
        .digest('hex'),
  };
}
