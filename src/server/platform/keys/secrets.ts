import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Generates a secret of 256 bits in base64url for links, cookies and challenges. */
export function randomSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}

/** Identifier of a citizen that only the applications of one sector share (OpenID Connect Core, section 8.1). */
export function pairwiseSubject(key: Buffer, sector: string, citizenId: string): Buffer {
  return createHmac('sha256', key).update(`${sector}\n${citizenId}`).digest();
}

/** SHA-256 in hex. Secrets are stored only in this form. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
