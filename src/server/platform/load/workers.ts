import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** Time in milliseconds before which an ended worker counts as failed. The pause before the next one then grows. */
const steadyMs = 60_000;
/** Pause before a worker is replaced, in milliseconds. It doubles with each failed one. */
const pauseMs = { least: 1_000, most: 30_000 };

export interface WorkersOptions {
  /** A Node.js file and its arguments, run in each worker. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly count: number;
  /** Environment added for a worker, by its index from 0. */
  readonly envOf: (place: number) => Readonly<Record<string, string>>;
  readonly log: Logger;
}

interface RunningWorkers {
  /** Lets each worker finish its requests, and waits for it. */
  stop(): Promise<void>;
}

const started = 'started';

/** Reports to the primary process that this worker is listening. */
export function tellStarted(): void {
  if (cluster.isWorker) process.send?.(started);
}

/** Ends a worker that cannot serve. Its channel to the primary process would keep it alive. */
export function giveUp(): void {
  if (cluster.isWorker) process.exit(1);
}

/** Whether this process prints the output that is printed once. */
export function isFirst(): boolean {
  return cluster.isPrimary || cluster.worker?.id === 1;
}

/**
 * Starts the workers. The first starts before the others, because it makes keys and tables. An ended worker is replaced. Returns `null` if the first
 * one does not start, which it has then reported.
 */
export async function startWorkers({ command, count, envOf, log }: WorkersOptions): Promise<RunningWorkers | null> {
  const [exec, ...args] = command;
  cluster.setupPrimary({ exec, args });
  const running = new Map<number, Worker>();
  let [stopping, complete] = [false, false];
  const start = (place: number, failures = 0): Worker => {
    const since = performance.now();
    const worker = cluster.fork(envOf(place));
    running.set(place, worker);
    worker.once('exit', (code, signal) => {
      running.delete(place);
      if (stopping || !complete) return;
      const failed = performance.now() - since < steadyMs ? failures + 1 : 0;
      const wait = Math.min(pauseMs.most, pauseMs.least * 2 ** Math.max(0, failed - 1));
      log.error({ worker: place, code, signal, pauseMs: wait }, 'a worker ended: another one takes its place');
      void sleep(wait).then(() => (stopping ? undefined : start(place, failed)));
    });
    return worker;
  };
  if (!(await hasStarted(start(0)))) return null;
  complete = true;
  for (let place = 1; place < count; place += 1) start(place);
  return {
    async stop() {
      stopping = true;
      const ended = [...running.values()].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const worker of running.values()) worker.process.kill('SIGTERM');
      await Promise.all(ended);
    },
  };
}

function hasStarted(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === started) resolve(true);
    });
    worker.once('exit', () => resolve(false));
  });
}
