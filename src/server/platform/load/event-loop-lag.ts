import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
/** Averaging window. It is long enough that a single slow task does not trigger load shedding. */
const windowMs = 500;

export type EventLoopLag = ReturnType<typeof measureEventLoopLag>;

/** Measures the mean event loop lag of the last window. Does not keep the process alive. */
export function measureEventLoopLag() {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  let lag = 0;
  const look = setInterval(() => {
    lag = delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - resolutionMs);
    delays.reset();
  }, windowMs).unref();
  return {
    readMs: () => lag,
    stop(): void {
      clearInterval(look);
      delays.disable();
    },
  };
}
