import type { Clock } from '../../../src/server/platform/base/clock.ts';

/** A clock that moves only when a test advances it. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
}

/** Starts far in the future: altcha-lib expires challenges by the system time, and must not do so before the test clock does. */
export function createFakeClock(start = '2071-03-04T15:00:00Z'): FakeClock {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}
