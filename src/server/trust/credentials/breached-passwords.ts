import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Written by `npm run breached-passwords`. */
export const breachedFile = join(import.meta.dirname, 'breached-passwords.bin');

const known = readHashes(breachedFile);

/** Whether a password is one of the 420,000 most common in breaches (8 or more characters, any case). One in 10,000 others matches by chance. */
export function isBreached(password: string): boolean {
  const hash = shortHash(password);
  let [low, high] = [0, known.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((known[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return known[low] === hash;
}

/** Returns the sorted hashes of the passwords, without those that the policy refuses anyway. */
export function breachedHashes(passwords: readonly string[]): Uint32Array {
  const conforming = passwords.filter((password) => password.length >= 8 && !/^\d+$/.test(password));
  return Uint32Array.from(new Set(conforming.map(shortHash))).sort();
}

/** First 32 bits of the SHA-256 of a password in lower case: a list of these takes 1.7 MB. */
function shortHash(password: string): number {
  return createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUInt32LE();
}

/** Reads 32-bit integers in little-endian order. */
function readHashes(file: string): Uint32Array {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));
}
