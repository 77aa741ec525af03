import type { Logger } from 'pino';
import { noopMetrics, type Metrics } from '../metrics/metrics.ts';

/** Runs in every replica. A job takes a lease if only one replica should run it at a time. */
export interface RecurringJob {
  readonly name: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Runs each job repeatedly, with a pause after each run. Logs failures and continues. Returns a function that stops the jobs. */
export function startRecurringJobs(
  jobs: readonly RecurringJob[],
  log: Logger,
  metrics: Pick<Metrics, 'jobEnded'> = noopMetrics,
): () => Promise<void> {
  const closers = jobs.map((job) => startJob(job, log, metrics));
  return async () => void (await Promise.all(closers.map((close) => close())));
}

function startJob({ name, everyMs, run }: RecurringJob, log: Logger, metrics: Pick<Metrics, 'jobEnded'>) {
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const runOnce = (): void => {
    const begun = performance.now();
    const onEnd = (failed: boolean): void =>
      metrics.jobEnded({ job: name, failed, seconds: (performance.now() - begun) / 1000 });
    running = run()
      .then(
        () => onEnd(false),
        (error: unknown) => {
          onEnd(true);
          log.error({ err: error, job: name }, 'a job failed');
        },
      )
      .finally(() => {
        if (!closed) timer = setTimeout(runOnce, everyMs).unref();
      });
  };
  runOnce();
  return async () => {
    closed = true;
    clearTimeout(timer);
    await running;
  };
}
