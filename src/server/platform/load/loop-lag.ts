import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
/** Averaging window in milliseconds. It is long enough that a single slow task does not trigger load shedding. */
const windowMs = 500;

export interface EventLoopLag {
  /** Mean event loop lag of the last window, in milliseconds. */
  readMs(): number;
  stop(): void;
}

/** Measures the event loop lag until it is stopped. Does not keep the process alive. */
export function measureEventLoopLag(): EventLoopLag {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let lag = 0;
  const look = setInterval(() => {
    lag = delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - resolutionMs);
    delays.reset();
  }, windowMs).unref();
  return {
    readMs: () => lag,
    stop() {
      clearInterval(look);
      delays.disable();
    },
  };
}
