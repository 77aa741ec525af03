import type { Logger } from 'pino';

/** Work that starts once an answer was sent. */
export interface LaterWork {
  add(work: () => Promise<void>): void;
  /** Resolves when everything that was added has ended. */
  settled(): Promise<void>;
}

/** Runs work behind answers, logs its failures, and can be waited for at the end of the process. */
export function laterWork(log: Logger): LaterWork {
  const running = new Set<Promise<void>>();
  return {
    add(work) {
      const run: Promise<void> = work()
        .catch((error: unknown) => log.error({ err: error }, 'work after an answer failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async settled() {
      await Promise.all(running);
    },
  };
}
