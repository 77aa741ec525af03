import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the loop looks at its timers, in milliseconds: what it was late by is its lag. */
const resolutionMs = 20;
/** Over how long a lag is averaged, in milliseconds: one long step alone sheds nothing. */
const windowMs = 500;

export interface LoopLag {
  /** Mean lag of the last window, in milliseconds. */
  read(): number;
  stop(): void;
}

/** Measures the event loop's lag until it is stopped; it keeps no process alive. */
export function measureLoopLag(): LoopLag {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let lag = 0;
  const look = setInterval(() => {
    lag = delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - resolutionMs);
    delays.reset();
  }, windowMs).unref();
  return {
    read: () => lag,
    stop() {
      clearInterval(look);
      delays.disable();
    },
  };
}
