import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A worker that ends within this time after its start counts as failed, and the pause before its replacement grows. */
const minLifetimeMs = 60_000;
/** Limits of the pause before a worker is replaced. The pause doubles each time that the worker fails. */
const restartPauseMs = { least: 1_000, most: 30_000 };

export interface WorkerProcessesOptions {
  /** Node.js file and arguments of each worker. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly count: number;
  /** Additional environment variables of a worker, by its index from 0. */
  readonly buildEnv: (place: number) => Readonly<Record<string, string>>;
  readonly log: Logger;
}

const startedMessage = 'started';

export function reportWorkerProcessStarted(): void {
  if (cluster.isWorker) process.send?.(startedMessage);
}

/** Ends a worker that cannot serve. Otherwise its channel to the primary process would keep it alive. */
export function exitWorkerProcess(): void {
  if (cluster.isWorker) process.exit(1);
}

/** Whether this process prints the output that is common to all workers. */
export function isFirstWorkerProcess(): boolean {
  return cluster.isPrimary || cluster.worker?.id === 1;
}

/**
 * Starts the first worker before the others, because it creates keys and tables. Replaces workers that end. Returns a function that stops all workers,
 * after each has finished its requests, or `null` if the first worker does not start. That worker logs the reason itself.
 */
export async function startWorkerProcesses(options: WorkerProcessesOptions): Promise<(() => Promise<void>) | null> {
  const {
    command: [exec, ...args],
    count,
    buildEnv,
    log,
  } = options;
  cluster.setupPrimary({ exec, args });
  const running = new Map<number, Worker>();
  let [stopping, complete] = [false, false];
  const startWorker = (place: number, failures = 0): Worker => {
    const since = performance.now();
    const worker = cluster.fork(buildEnv(place));
    running.set(place, worker);
    worker.once('exit', (code, signal) => {
      running.delete(place);
      if (stopping || !complete) return;
      const failed = performance.now() - since < minLifetimeMs ? failures + 1 : 0;
      const wait = Math.min(restartPauseMs.most, restartPauseMs.least * 2 ** Math.max(0, failed - 1));
      log.error({ worker: place, code, signal, pauseMs: wait }, 'a worker ended: another one takes its place');
      void sleep(wait).then(() => (stopping ? undefined : startWorker(place, failed)));
    });
    return worker;
  };
  if (!(await hasStarted(startWorker(0)))) return null;
  complete = true;
  for (let place = 1; place < count; place += 1) startWorker(place);
  return async () => {
    stopping = true;
    const ended = [...running.values()].map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
    for (const worker of running.values()) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  };
}

function hasStarted(worker: Worker): Promise<boolean> {
  return new Promise((resolve) => {
    worker.on('message', (message) => {
      if (message === startedMessage) resolve(true);
    });
    worker.once('exit', () => resolve(false));
  });
}
