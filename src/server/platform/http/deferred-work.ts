import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';

/**
 * Maximum pause before work that follows a response. This work may depend on a secret, such as the existence of an account, and delay the caller's next
 * request. A random pause hides that delay.
 */
const maxPauseMs = 250;

/** Creates a runner for work after responses. The runner logs failures. A stopping process can wait for the pending work. */
export function createDeferredWorkRunner(log: Logger, pauseRandomly = () => pause(randomInt(maxPauseMs))) {
  const running = new Set<Promise<void>>();
  return {
    add(work: () => Promise<void>): void {
      const run: Promise<void> = pauseRandomly()
        .then(work)
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async settled(): Promise<void> {
      await Promise.all(running);
    },
  };
}
