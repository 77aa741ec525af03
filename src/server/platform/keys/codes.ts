import { randomInt, timingSafeEqual } from 'node:crypto';

/** Letters and digits that nobody takes for another one. */
const unambiguous = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '0123456789';

/** A code to read and type, of letters and digits. */
export function randomCode(length: number): string {
  return drawn(unambiguous, length);
}

/** A code of digits alone, for fields that take nothing else. */
export function randomDigits(length: number): string {
  return drawn(digits, length);
}

/** Compares two digests of one length in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
}
