import { randomBytes, createHash } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { OperationError } from '../../platform/base/errors.ts';
import { isSameDigest, generateSecret } from '../../platform/keys/random-secrets.ts';
import { createBoundedQueue } from '../../platform/load/bounded-queue.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PasswordHashCost {
  /** Memory cost in KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** Default cost: 19 MiB, two passes, one lane. The library's default algorithm is argon2id. */
const defaultCost: PasswordHashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type PasswordHasher = Awaited<ReturnType<typeof createPasswordHasher>>;

/** Hashes `running` passwords at a time and queues `waiting`, to limit the memory. Throws a 503 if the queue is full, or after a wait of `waitMs`. */
export async function createPasswordHasher({
  running,
  waiting,
  cost = defaultCost,
  waitMs = 1_000,
}: {
  readonly running: number;
  readonly waiting: number;
  readonly waitMs?: number;
  readonly cost?: PasswordHashCost | undefined;
}) {
  const { run, line, waitMs: expectedMs } = createBoundedQueue({ running, waiting, waitMs });
  const dummy = await hash(generateSecret(), cost);
  return {
    line,
    waitMs: expectedMs,
    /** Hashes a new password. Throws an `OperationError` 400 at `field` if the password is in the list of breached passwords. */
    hash: async (password: string, field = 'password'): Promise<string> => {
      if (isBreachedPassword(password)) throw new OperationError(400, 'contrasena_filtrada', { field });
      return run(() => hash(normalize(password), cost));
    },
    /** Returns whether the password matches the stored hash. Without an account (`stored` is `null`), does the same work and returns `false`. */
    verify: (stored: string | null, password: string): Promise<boolean> =>
      run(async () => (await verify(stored ?? dummy, normalize(password))) && stored !== null),
    /** Hashes codes with a single random salt, so that `findCode` needs only one computation for all of them. */
    hashCodes: (codes: readonly string[]): Promise<string[]> =>
      run(async () => {
        const salt = randomBytes(16);
        const hashes: string[] = [];
        for (const code of codes) hashes.push(await hash(code, { ...cost, salt }));
        return hashes;
      }),
    async findCode(hashes: readonly string[], code: string): Promise<string | null> {
      const ofSalt = new Map(hashes.map((stored) => [stored.slice(0, stored.lastIndexOf('$')), stored]));
      for (const like of ofSalt.values()) {
        const computed = await run(() => hash(code, { ...parseOptions(like), salt: readPhcSalt(like) }));
        const found = hashes.find((stored) => isSameDigest(stored, computed));
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

/** Returns the salt of a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
function readPhcSalt(phc: string): Buffer {
  return Buffer.from(phc.split('$').at(-2) ?? '', 'base64');
}

/** Normalizes a password, because keyboards may encode the same accented letter differently. */
function normalize(password: string): string {
  return password.normalize('NFC');
}

/** File that `npm run breached-passwords` writes. */
export const breachedPasswordsFile = join(import.meta.dirname, 'breached-passwords.bin');

const { buffer, byteOffset, byteLength } = readFileSync(breachedPasswordsFile);
const breachedHashList = new Uint32Array(buffer.slice(byteOffset, byteOffset + byteLength));

/** The list has the 420,000 most common breached passwords of 8 or more characters, in lower case. One in 10,000 other passwords matches by chance. */
export function isBreachedPassword(password: string): boolean {
  const hash = computeShortHash(password);
  let [low, high] = [0, breachedHashList.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((breachedHashList[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return breachedHashList[low] === hash;
}

/** Returns the sorted hashes of the passwords, without passwords that the policy already rejects. */
export function hashBreachedPasswords(passwords: readonly string[]): Uint32Array {
  const conforming = passwords.filter((password) => password.length >= 8 && !/^\d+$/.test(password));
  return Uint32Array.from(new Set(conforming.map(computeShortHash))).sort();
}

/** Returns the first 32 bits of the SHA-256 of a password in lower case. A list of these hashes takes only 1.7 MB. */
function computeShortHash(password: string): number {
  return createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUInt32LE();
}
