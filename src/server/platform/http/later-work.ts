import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Longest pause before work behind an answer, in milliseconds. Some of that work differs by what nobody is to learn, as whether an account exists; the
 * next request of whoever asks would wait for it. A random pause makes that a matter of chance.
 */
const longestPauseMs = 250;

export interface LaterWork {
  add(work: () => Promise<void>): void;
  /** Resolves when everything that was added has ended. */
  settled(): Promise<void>;
}

/** Runs work behind answers, logs its failures, and can be waited for at the end of the process. */
export function laterWork(log: Logger, moment = () => pause(randomInt(longestPauseMs))): LaterWork {
  const running = new Set<Promise<void>>();
  return {
    add(work) {
      const run: Promise<void> = moment()
        .then(work)
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
