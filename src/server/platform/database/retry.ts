import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './unavailable.ts';

const attempts = 8;
const retried = new Set(['40001', '40P01']); // serialization failure, deadlock
/** How long an attempt has its turn: a transaction that hangs must not hold all others. */
const turnMs = 2_000;

/** Runs work until the database does not refuse it for a conflict with another transaction any more. */
export type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * The retries of one store. First attempts run side by side; who was refused tries again after a growing random pause, and one after the other:
 * of a hundred at once that touch the same small tables all get through, where side by side they would refuse each other over and over.
 */
export function serializationRetry(): Retry {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Retry = async (work) => {
    const before = last;
    const mine = before.then(work);
    const turnIsOver = before.then(() => sleep(turnMs, undefined, { ref: false }));
    last = Promise.race([mine.catch(() => undefined), turnIsOver]);
    return mine;
  };
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? work() : inTurn(work));
      } catch (error) {
        if (!retried.has(codeOf(error) ?? '')) throw error;
        if (attempt === attempts) throw new DatabaseUnavailable(error);
        await sleep(Math.random() * 10 * 2 ** attempt);
      }
    }
  };
}

/** The SQLSTATE of a database error of either driver. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
