import type { Clock } from '../../../src/server/platform/base/clock.ts';

/** A clock that moves only when a test advances it. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
}

/**
 * Creates a clock. It starts far in the future, because altcha-lib uses the system time and would otherwise reject
 * challenges as expired.
 */
export function createFakeClock(start = '2071-03-04T15:00:00Z'): FakeClock {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}
