import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A worker that ended so soon after its start did not serve: the next one waits longer, in milliseconds. */
const steadyMs = 60_000;
/** How long the one after a fallen worker waits, in milliseconds: it doubles with each that did not serve. */
const pauseMs = { least: 1_000, most: 30_000 };

export interface WorkersOptions {
  /** What runs in each: a file of Node.js, and its arguments. */
  readonly command: readonly [file: string, ...args: string[]];
  readonly count: number;
  /** The environment of a worker, by its place from 0, beside that of this process. */
  readonly envOf: (place: number) => Readonly<Record<string, string>>;
  readonly log: Logger;
}

export interface RunningWorkers {
  /** Has each finish what it does, and waits for it. */
  stop(): Promise<void>;
}

/** What a worker tells when it listens. */
const started = 'started';

/** Tells the process that started this worker that it serves. */
export function tellStarted(): void {
  if (cluster.isWorker) process.send?.(started);
}

/** Ends a worker that cannot serve: what connects it with its starter would keep it alive. */
export function giveUp(): void {
  if (cluster.isWorker) process.exit(1);
}

/** Whether no other process of this start came before: what is printed once is printed by it. */
export function isFirst(): boolean {
  return cluster.isPrimary || cluster.worker?.id === 1;
}

/** Whether this is the process that starts workers. */
export function startsWorkers(count: number): boolean {
  return cluster.isPrimary && count > 1;
}

/**
 * Starts workers, the first one alone: it makes keys and tables. One that falls is replaced. Answers null where the first one does not start, after it has
 * said why.
 */
export async function startWorkers({ command, count, envOf, log }: WorkersOptions): Promise<RunningWorkers | null> {
  const [exec, ...args] = command;
  cluster.setupPrimary({ exec, args });
  const running = new Map<number, Worker>();
  let stopping = false;
  const start = (place: number, failures = 0): Worker => {
    const since = performance.now();
    const worker = cluster.fork(envOf(place));
    running.set(place, worker);
    worker.once('exit', (code, signal) => {
      running.delete(place);
      if (stopping || !isComplete()) return;
      const failed = performance.now() - since < steadyMs ? failures + 1 : 0;
      const wait = Math.min(pauseMs.most, pauseMs.least * 2 ** Math.max(0, failed - 1));
      log.error({ worker: place, code, signal, pauseMs: wait }, 'a worker ended: another one takes its place');
      void sleep(wait).then(() => (stopping ? undefined : start(place, failed)));
    });
    return worker;
  };
  let complete = false;
  const isComplete = (): boolean => complete;
  if (!(await hasStarted(start(0)))) return null;
  complete = true;
  for (let place = 1; place < count; place += 1) start(place);
  return {
    async stop() {
      stopping = true;
      await Promise.all(
        [...running.values()].map(async (worker) => {
          const ended = new Promise((resolve) => worker.once('exit', resolve));
          worker.process.kill('SIGTERM');
          await ended;
        }),
      );
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
