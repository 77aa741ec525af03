import { randomInt, timingSafeEqual } from 'node:crypto';

/** Characters without look-alikes (0 and O, 1 and I). */
const unambiguousCharacters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const digits = '0123456789';

export function generateRandomCode(length: number): string {
  return drawCharacters(unambiguousCharacters, length);
}

export function generateRandomDigits(length: number): string {
  return drawCharacters(digits, length);
}

/** Compares two digests of equal length in constant time. */
export function isSameDigest(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function drawCharacters(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
}
