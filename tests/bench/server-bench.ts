import { hash, verify } from '@node-rs/argon2';
import { startBenchServer, type BenchServer, type Run } from './bench-server.ts';
import type { TableRow } from './markdown-table.ts';
import { computeMedian, computePercentile } from './statistics.ts';

const lanes = 8;
const seconds = 8;

/**
 * Measures throughput and response times with the embedded database: of each kind of request, and of reads during many
 * sign-ins.
 */
export async function measureThroughput(): Promise<readonly TableRow[]> {
  return withServer({ lanes }, async ({ works }) => {
    const rows: TableRow[] = [];
    for (const [work, run] of Object.entries(works)) rows.push(await measureLoad(work, lanes, run));
    const { 'a sign-in by password': signIn, 'a read with an access token': read } = works;
    if (signIn && read) {
      const both = [
        measureLoad('sign-ins, 12 at a time', 12, signIn),
        measureLoad('reads during these sign-ins', 2, read),
      ];
      rows.push(...(await Promise.all(both)));
    }
    return rows;
  });
}

/**
 * Measures throughput on PostgreSQL with one, two and three processes. Servers, database and load generator run on the
 * same machine.
 */
export async function measureWorkers(): Promise<readonly TableRow[]> {
  const rows: TableRow[] = [];
  for (const workers of [1, 2, 3])
    await withServer({ workers, lanes }, async ({ works }) => {
      for (const work of [
        'a read with an access token',
        'a cached page: /ayuda',
        'a sign-in by password',
        'an OpenID Connect code flow with a session',
      ])
        rows.push({
          workers,
          ...(await measureLoad(work, lanes, works[work] ?? (() => Promise.reject(new Error(work))))),
        });
    });
  return rows;
}

/** Number of reads before the first measurement. By then V8 has optimized the server's code. */
const warmUp = 8_000;
/** Minimum CPU time to measure per kind of request, in milliseconds. */
const measuredMs = 1_500;

/** Measures CPU time, statements and round trips per kind of request, with PostgreSQL. */
export async function measureCosts(): Promise<readonly TableRow[]> {
  return withServer({ workers: 1, counted: true, lanes: 4 }, async ({ works, cpuMs, wire }) => {
    const read = works['a read with an access token'];
    if (read) await runInLanes(4, warmUp, read);
    const rows: TableRow[] = [];
    for (const [work, run] of Object.entries(works)) {
      await runInLanes(4, 20, run);
      const counts: { statements: number; roundTrips: number }[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        wire?.reset();
        await run(0);
        counts.push({ statements: wire?.statements() ?? 0, roundTrips: wire?.roundTrips() ?? 0 }); // the median excludes statements of background jobs
      }
      const begun = await cpuMs();
      let times = 0;
      let used = 0;
      for (; used < measuredMs; used = (await cpuMs()) - begun, times += 40) await runInLanes(4, 40, run);
      rows.push({
        work,
        'CPU ms': used / times,
        statements: computeMedian(counts.map(({ statements }) => statements)),
        'round trips': computeMedian(counts.map(({ roundTrips }) => roundTrips)),
      });
    }
    return [...rows, { work: 'argon2id', 'CPU ms': await measureHash(), statements: 0, 'round trips': 0 }];
  });
}

async function withServer<Result>(
  setup: Parameters<typeof startBenchServer>[0],
  work: (server: BenchServer) => Promise<Result>,
): Promise<Result> {
  const server = await startBenchServer(setup);
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

/** Repeats a request in `parallel` lanes for eight seconds. Returns its throughput and response times. */
async function measureLoad(work: string, parallel: number, run: Run): Promise<TableRow> {
  const delays: number[] = [];
  const end = Date.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: parallel }, async (_, lane) => {
      while (Date.now() < end) {
        const from = performance.now();
        await run(lane);
        delays.push(performance.now() - from);
      }
    }),
  );
  return {
    work,
    'per s': delays.length / seconds,
    'median ms': computePercentile(delays, 0.5),
    'p99 ms': computePercentile(delays, 0.99),
  };
}

function runInLanes(parallel: number, times: number, run: Run): Promise<unknown> {
  return Promise.all(
    Array.from({ length: parallel }, async (_, lane) => {
      for (let turn = lane; turn < times; turn += parallel) await run(lane);
    }),
  );
}

/**
 * Measures the CPU time of one password hash, which each sign-in computes. Four hashes are computed in parallel,
 * because they share the memory bus.
 */
async function measureHash(): Promise<number> {
  const stored = await hash('tres-tazas-de-mate', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const times = 80;
  const before = process.cpuUsage();
  await runInLanes(4, times, () => verify(stored, 'tres-tazas-de-mate'));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
