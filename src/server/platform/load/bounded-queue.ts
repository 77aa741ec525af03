import { OperationError } from '../base/errors.ts';

/** Weight of the latest duration in the moving average of the durations. */
const latestWeight = 0.1;

/**
 * Creates a queue that runs at most `running` tasks at a time. Rejects a task with an `OperationError` 503 if all run and `waiting` tasks are queued,
 * or if the expected wait exceeds `waitMs`.
 */
export function createBoundedQueue(limits: Readonly<Record<'running' | 'waiting' | 'waitMs', number>>) {
  const { running, waiting, waitMs } = limits;
  const line: (() => void)[] = [];
  let active = 0;
  /** Moving average of the tasks' duration, in milliseconds. */
  let workMs = 0;
  const estimateWaitMs = (): number => (line.length / running) * workMs;
  const run = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (active >= running) {
      if (line.length >= waiting || estimateWaitMs() > waitMs)
        throw new OperationError(503, 'servidor_ocupado', { retryAfter: 2 });
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      active += 1;
    }
    const began = performance.now();
    try {
      return await work();
    } finally {
      workMs += (performance.now() - began - workMs) * latestWeight;
      const next = line.shift();
      if (next)
        next(); // the next task takes over the slot, so `active` stays the same
      else active -= 1;
    }
  };
  return { run, line: () => ({ running: active, waiting: line.length }), waitMs: estimateWaitMs };
}
