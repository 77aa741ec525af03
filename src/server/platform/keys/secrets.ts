import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 bits in base64url: links, cookies, challenges. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text may be one: of that length and alphabet. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** SHA-256 in hex: the only form in which a secret of 256 bits is stored. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
