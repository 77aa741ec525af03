import type { Clock } from '../../../src/server/platform/base/clock.ts';

/** A clock that stands until it is moved. */
export interface FakeClock extends Clock {
  advance(seconds: number): void;
}

/** Starts far ahead of the machine's time, which altcha-lib reads itself: its own expiry then never comes first. */
export function fakeClock(start = '2071-03-04T15:00:00Z'): FakeClock {
  let now = new Date(start).getTime();
  return {
    now: () => new Date(now),
    advance: (seconds) => {
      now += seconds * 1000;
    },
  };
}
