import { createHmac, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { isSameDigest } from './random-secrets.ts';
import {
  listDerivedKeysCurrentFirst,
  selectEncryptionKey,
  findKeyOfCiphertext,
  type DerivedKeyVersion,
  type EncryptionKeys,
} from './encryption-keys.ts';

/** Encrypts values for the database. Each ciphertext is bound to its purpose. */
export interface Vault {
  encrypt(purpose: string, text: string): string;
  /** Throws if the text was encrypted for another purpose or with another key. */
  decrypt(purpose: string, sealed: string): string;
  /**
   * HMAC-SHA-256 in hex, prefixed with the version of its key, for codes whose plain hash could be brute-forced. The digest of a text changes when keys
   * rotate, so compare with `matchesDigest`.
   */
  computeDigest(purpose: string, text: string): string;
  matchesDigest(purpose: string, text: string, digest: string): boolean;
  /** Returns all versions of the derived keys, the current version first. */
  listDerivedKeys(): EncryptionKeys['derived'];
}

/** Creates a vault that reads the server's keys at each use, because they may rotate while the server runs. */
export function createVault(keysNow: () => EncryptionKeys, clock: Clock): Vault {
  const derivedKeys = () => listDerivedKeysCurrentFirst(keysNow(), clock.now());
  const digestWith = ({ id, keys }: DerivedKeyVersion, purpose: string, text: string): string => {
    const hex = createHmac('sha256', keys.digest)
      .update(JSON.stringify([purpose, text]))
      .digest('hex');
    return id === '' ? hex : `${id}.${hex}`;
  };
  return {
    encrypt(purpose, text) {
      const { id, since, bytes } = selectEncryptionKey(keysNow(), clock.now());
      const sealed = encryptAesGcm(bytes, purpose, text);
      return since === null ? sealed : `${id}.${sealed}`; // texts of the first key have no prefix, so that older versions, which support only one key, can decrypt them
    },
    decrypt(purpose, sealed) {
      const key = findKeyOfCiphertext(keysNow(), sealed);
      if (key === undefined) throw new Error('sealed by a key that is not among those of the server');
      return decryptAesGcm(key.bytes, purpose, sealed.slice(sealed.indexOf('.') + 1));
    },
    computeDigest: (purpose, text) => digestWith(derivedKeys()[0], purpose, text),
    matchesDigest(purpose, text, digest) {
      const [id = ''] = /^[\w-]+(?=[.])/.exec(digest) ?? [];
      const version = keysNow().derived.find((one) => one.id === id);
      return version !== undefined && isSameDigest(digest, digestWith(version, purpose, text));
    },
    listDerivedKeys: derivedKeys,
  };
}

const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts with AES-256-GCM, with the purpose as associated data. Returns nonce, tag and ciphertext in base64url. */
export function encryptAesGcm(key: Buffer, purpose: string, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

export function decryptAesGcm(key: Buffer, purpose: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(purpose))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}
