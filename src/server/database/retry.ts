import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable } from './unavailable.ts';

const attempts = 8;
const retried = new Set(['40001', '40P01']); // serialization failure, deadlock

/** Runs `work` again, after a growing random pause, while the database refuses it for a conflict with another transaction. */
export async function retrySerialization<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!retried.has(codeOf(error) ?? '')) throw error;
      if (attempt === attempts) throw new DatabaseUnavailable(error);
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** The SQLSTATE of a database error of either driver. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
