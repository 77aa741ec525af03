import { percentile } from './median.ts';

/** Throughput and delays of one kind of work. */
export interface ServerFigures {
  readonly work: string;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly median: number;
  readonly p99: number;
}

const seconds = 8;

/** Repeats `run` in some parallel lanes for eight seconds. */
export async function load(work: string, parallel: number, run: () => Promise<unknown>): Promise<ServerFigures> {
  const delays: number[] = [];
  const end = Date.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (Date.now() < end) {
        const from = performance.now();
        await run();
        delays.push(performance.now() - from);
      }
    }),
  );
  return { work, perSecond: delays.length / seconds, median: percentile(delays, 0.5), p99: percentile(delays, 0.99) };
}
