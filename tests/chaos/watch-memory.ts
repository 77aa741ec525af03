import { setTimeout as sleep } from 'node:timers/promises';

const everyMs = 2_000;

/** A measurement of the JavaScript heap of a replica. */
interface Sample {
  readonly at: number;
  readonly megabytes: number;
}

/**
 * Minimum heap of a replica in the second and in the last quarter of a run, in megabytes. The minimum excludes garbage.
 */
export interface MemoryReport {
  readonly replica: number;
  readonly early: number;
  readonly late: number;
}

/** Samples the heap of replicas until `stop` is called. `ports` are those of their metrics. */
export function watchMemory(ports: readonly number[]): { stop(): Promise<readonly MemoryReport[]> } {
  const began = Date.now();
  const samples = ports.map((): Sample[] => []);
  let isGoing = true;
  const watching = (async () => {
    while (isGoing) {
      await Promise.all(
        ports.map(async (port, replica) => {
          const megabytes = await heapOf(port).catch(() => null); // skips a replica that is not running
          if (megabytes !== null) samples[replica]?.push({ at: Date.now(), megabytes });
        }),
      );
      await sleep(everyMs);
    }
  })();
  return {
    async stop() {
      isGoing = false;
      await watching;
      const quarter = (Date.now() - began) / 4;
      const least = (all: readonly Sample[], from: number) =>
        Math.min(
          ...all
            .filter(({ at }) => at >= began + from * quarter && at < began + (from + 1) * quarter)
            .map(({ megabytes }) => megabytes),
        );
      return samples.map((all, replica) => ({ replica, early: least(all, 1), late: least(all, 3) }));
    },
  };
}

async function heapOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(1_000) })).text();
  const [, bytes] = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text) ?? [];
  if (bytes === undefined) throw new Error('the metrics name no heap');
  return Number(bytes) / 2 ** 20;
}
