import { createHash } from 'node:crypto';

/** Returns a hash for URLs: 16 letters and digits. */
export function hashForUrl(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16).replaceAll(/[-_]/g, 'x');
}
