import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** Generates a secret of 256 bits in base64url for links, cookies and challenges. */
export function generateSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isWellFormedSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Returns the SHA-256 in hex. Secrets are stored only in this form. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Generates a code of letters and digits without look-alikes (0 and O, 1 and I). */
export function generateRandomCode(length: number): string {
  return drawCharacters('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', length);
}

export function generateRandomDigits(length: number): string {
  return drawCharacters('0123456789', length);
}

function drawCharacters(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
}

/** Compares two digests of equal length in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
