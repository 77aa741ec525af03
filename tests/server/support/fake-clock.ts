import type { Clock } from '../../../src/server/platform/base/clock.ts';

/** A clock that only advances on demand. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
}

/** Starts far in the future: altcha-lib reads the system time, and its own expiry must not come first. */
export function fakeClock(start = '2071-03-04T15:00:00Z'): FakeClock {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}
