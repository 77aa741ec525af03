import { OperationError } from '../base/errors.ts';

/** A queue that limits the number of running tasks and the number of waiting tasks. */
interface BoundedQueue {
  /** Runs a task when it reaches the front of the queue. Throws an `OperationError` 503 if too many tasks wait. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly line: () => { readonly running: number; readonly waiting: number };
  /** Expected wait of a new task in milliseconds, from the duration of recent tasks. */
  readonly waitMs: () => number;
}

const latestWeight = 0.1;

/** Creates a queue for `running` concurrent tasks and `waiting` queued tasks. The queue also rejects a task whose expected wait exceeds `waitMs`. */
export function createBoundedQueue(limits: Readonly<Record<'running' | 'waiting' | 'waitMs', number>>): BoundedQueue {
  const { running, waiting, waitMs } = limits;
  const line: (() => void)[] = [];
  let active = 0;
  /** Moving average of the tasks' duration, in milliseconds. */
  let workMs = 0;
  const estimateWaitMs = (): number => (line.length / running) * workMs;
  const run: BoundedQueue['run'] = async (work) => {
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
