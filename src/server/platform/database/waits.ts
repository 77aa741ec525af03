import type { Line, Lines } from './pipeline.ts';

/** Lines that know how long work waits for one of them. */
export interface TimedLines<Borrowed extends Line> extends Lines<Borrowed> {
  /** How long work that asks for a line now has to wait, in milliseconds, by what is known: 0 where none waits. */
  waitMs(): number;
}

/** How much the last loan counts in what one is expected to take. */
const newest = 0.1;

/**
 * Takes the time of each loan of one of `count` lines, and of each wait for one. Who asks now waits as long as the loans of those before take, and at least
 * as long as the first of them has waited: where PostgreSQL hangs no loan ends.
 */
export function timed<Borrowed extends Line & object>(count: number, lines: Lines<Borrowed>): TimedLines<Borrowed> {
  const waiting = new Set<{ readonly since: number }>();
  const lent = new WeakMap<Borrowed, number>();
  let loanMs = 0;
  return {
    ...lines,
    async acquire() {
      const wait = { since: performance.now() };
      waiting.add(wait);
      try {
        const line = await lines.acquire();
        lent.set(line, performance.now());
        return line;
      } finally {
        waiting.delete(wait);
      }
    },
    release(line) {
      loanMs += (performance.now() - (lent.get(line) ?? 0) - loanMs) * newest;
      lines.release(line);
    },
    waitMs() {
      const [first] = waiting;
      if (first === undefined) return 0;
      return Math.max(performance.now() - first.since, (waiting.size / count) * loanMs);
    },
  };
}
