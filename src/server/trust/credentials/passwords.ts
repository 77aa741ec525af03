import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';
import { OperationError } from '../../platform/base/errors.ts';
import { sameDigest } from '../../platform/keys/codes.ts';
import { boundedQueue } from '../../platform/load/bounded-queue.ts';
import { randomSecret } from '../../platform/keys/secrets.ts';
import { isBreached } from './breached-passwords.ts';

export interface HashCost {
  /** In KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** 19 MiB, two passes, one lane. argon2id is the default algorithm of the library. */
const realCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and verifies passwords. Throws an `OperationError` 503 if the queue is full. */
export interface Passwords {
  /** Hashes a new password. Throws an `OperationError` 400 at `field` if the password is known from a breach. */
  hash(password: string, field?: string): Promise<string>;
  /** Does the same work if `hash` is `null` (no such account), and returns `false`. */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** Hashes codes with one random salt, so that `findCode` needs a single computation for all of them. */
  hashCodes(codes: readonly string[]): Promise<string[]>;
  /** Returns the hash of a code among results of `hashCodes`. Returns `null` if there is none. */
  findCode(hashes: readonly string[], code: string): Promise<string | null>;
  line(): { readonly running: number; readonly waiting: number };
  /** Expected wait in the queue in milliseconds, estimated from recent hash durations. */
  waitMs(): number;
}

const saltBytes = 16;

/** Longest wait in the queue in milliseconds. A request that would wait longer gets a 503 at once. */
const longestWaitMs = 1_000;

/**
 * Hashes passwords with argon2id, at most `running` at a time and `waiting` in the queue, or fewer if they would wait longer than `waitMs`. In a
 * storm of sign-ins, requests are refused before memory runs out. Only tests pass another `cost` or `waitMs`.
 */
export async function createPasswords({
  running,
  waiting,
  cost = realCost,
  waitMs = longestWaitMs,
}: {
  readonly running: number;
  readonly waiting: number;
  readonly waitMs?: number;
  readonly cost?: HashCost | undefined;
}): Promise<Passwords> {
  const { inTurn, line, waitMs: expectedMs } = boundedQueue({ running, waiting, waitMs });
  const dummy = await hash(randomSecret(), cost);
  return {
    line,
    waitMs: expectedMs,
    hash: async (password, field = 'password') => {
      if (isBreached(password)) throw new OperationError(400, 'contrasena_filtrada', { field });
      return inTurn(() => hash(normalize(password), cost));
    },
    verify: (stored, password) =>
      inTurn(async () => (await verify(stored ?? dummy, normalize(password))) && stored !== null),
    hashCodes: (codes) =>
      inTurn(async () => {
        const salt = randomBytes(saltBytes);
        const hashes: string[] = [];
        for (const code of codes) hashes.push(await hash(code, { ...cost, salt }));
        return hashes;
      }),
    async findCode(hashes, code) {
      const ofSalt = new Map(hashes.map((stored) => [stored.slice(0, stored.lastIndexOf('$')), stored]));
      for (const like of ofSalt.values()) {
        const computed = await inTurn(() => hash(code, { ...parseOptions(like), salt: readSalt(like) }));
        const found = hashes.find((stored) => sameDigest(stored, computed));
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

/** Returns the salt of a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
function readSalt(phc: string): Buffer {
  return Buffer.from(phc.split('$').at(-2) ?? '', 'base64');
}

/** Keyboards may encode the same accented letter differently. */
function normalize(password: string): string {
  return password.normalize('NFC');
}
