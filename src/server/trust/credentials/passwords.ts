import { hash, verify } from '@node-rs/argon2';
import { boundedQueue } from '../../platform/load/bounded-queue.ts';
import { randomSecret } from '../../platform/keys/secrets.ts';

/** What a hash costs. */
export interface HashCost {
  /** KiB. */
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

/** 19 MiB, two passes, one lane; argon2id is the library's default algorithm. */
const realCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes and checks passwords; a full queue throws a CallError 503. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Does the same work for a null hash (no such account) and answers false. */
  verify(hash: string | null, password: string): Promise<boolean>;
  /** How many hashes run, and how many wait in line. */
  line(): { readonly running: number; readonly waiting: number };
  /** How long somebody who comes now waits in line, in milliseconds, by what hashes took of late. */
  waitMs(): number;
}

/** How long somebody may have to wait in line, in milliseconds: who would wait longer is told to come again, and does not give up meanwhile. */
const longestWaitMs = 1_000;

/**
 * Passwords by argon2id, `running` at a time and `waiting` in line, or fewer where that would take longer than `waitMs`: a storm of sign-ins costs
 * answers, not memory. Only tests name another `cost` or `waitMs`.
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
    hash: (password) => inTurn(() => hash(normalize(password), cost)),
    verify: (stored, password) =>
      inTurn(async () => (await verify(stored ?? dummy, normalize(password))) && stored !== null),
  };
}

/** One password typed on two keyboards is one password. */
function normalize(password: string): string {
  return password.normalize('NFC');
}
