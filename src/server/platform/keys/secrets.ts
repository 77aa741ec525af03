import { createHash, randomBytes } from 'node:crypto';

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
