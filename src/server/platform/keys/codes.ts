import { randomInt, timingSafeEqual } from 'node:crypto';

/** Characters without look-alikes (0 and O, 1 and I). */
const unambiguous = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '0123456789';

export function randomCode(length: number): string {
  return drawn(unambiguous, length);
}

/** Generates a code for numeric fields. */
export function randomDigits(length: number): string {
  return drawn(digits, length);
}

/** Compares two digests of equal length in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
}
