import { readFileSync } from 'node:fs';
import pg from 'pg';
import type { TableRow } from '../bench/markdown-table.ts';
import { computeMedian } from '../bench/statistics.ts';
import { projectRoot, startPortalProcess, type OwnPortal } from '../e2e/support/portal.ts';
import { openBrowser } from '../server/support/browser.ts';
import { findFreePort } from '../server/support/free-port.ts';
import { computeCitizen } from './fill-tables.ts';
import { password } from './fill-database.ts';

/** A filled database, with the parameters of its data. */
export interface FilledDatabase {
  readonly url: string;
  readonly citizens: number;
  readonly seed: number;
}

const rounds = 7;
const works = { 'a password sign-in': 30, 'a read with a token': 300 } as const;

/**
 * Compares two databases by the CPU time per request of the server and of PostgreSQL, in milliseconds. Measures them
 * alternately, so that other load on the machine affects both. Ratios are medians over the rounds.
 */
export async function measureGrowth(
  small: FilledDatabase,
  large: FilledDatabase,
  keysDir: string,
): Promise<readonly TableRow[]> {
  const sides = [await openSide(small, keysDir), await openSide(large, keysDir)] as const;
  try {
    const rows: TableRow[] = [];
    for (const [work, times] of Object.entries(works)) {
      const run = async (side: BenchSide) =>
        side.costOf(work === 'a password sign-in' ? side.signIn : side.read, times);
      for (const side of sides) await run(side); // warm-up of query plans, caches and compiled code
      const pairs: (readonly [Cost, Cost])[] = [];
      for (let round = 0; round < rounds; round += 1) pairs.push([await run(sides[0]), await run(sides[1])]);
      const columns = (['server ms', 'database ms'] as const).map((name) => ({
        [`${name}, ${small.citizens} citizens`]: computeMedian(pairs.map(([one]) => one[name])),
        [`${name}, ${large.citizens} citizens`]: computeMedian(pairs.map(([, other]) => other[name])),
        [`${name}, ratio`]: computeMedian(pairs.map(([one, other]) => other[name] / one[name])),
      }));
      rows.push(Object.assign({ work }, ...columns) as TableRow);
    }
    return rows;
  } finally {
    for (const side of sides) await side.close();
  }
}

type Cost = Readonly<Record<'server ms' | 'database ms', number>>;

type BenchSide = Awaited<ReturnType<typeof openSide>>;

async function openSide(filled: FilledDatabase, keysDir: string) {
  const metricsPort = String(await findFreePort());
  const portal = await startPortalProcess(projectRoot, {
    DATABASE_URL: filled.url,
    KEYS_DIR: keysDir,
    METRICS_PORT: metricsPort,
    SAMPLE_DATA: 'off',
    TRUST_PROXY: 'loopback',
  });
  const client = new pg.Client({ connectionString: filled.url });
  await client.connect();
  let turn = 0;
  /** Signs in the next citizen from a new network address, so that no rate limit applies. */
  const next = (): ReturnType<typeof signInCitizen> => {
    turn += 1;
    const index = Math.floor(filled.citizens * 0.9) + ((turn * 7919) % Math.floor(filled.citizens * 0.1));
    return isUsable(index) ? signInCitizen(portal, filled, index, turn) : next();
  };
  let reader: Awaited<ReturnType<typeof createReader>>;
  return {
    async signIn(): Promise<void> {
      await next();
    },
    async read(): Promise<void> {
      const answer = await fetch(`${portal.url}${reader.path}`, { headers: reader.headers });
      if (!answer.ok) throw new Error(`read: ${answer.status}`);
      await answer.arrayBuffer();
    },
    async costOf(run: () => Promise<void>, times: number): Promise<Cost> {
      reader = await createReader(await next()); // renewed, because a token expires after five minutes
      const [cpu, database] = [await readServerCpu(metricsPort), await readDatabaseCpu(client)];
      for (let time = 0; time < times; time += 1) await run();
      return {
        'server ms': ((await readServerCpu(metricsPort)) - cpu) / times,
        'database ms': ((await readDatabaseCpu(client)) - database) / times,
      };
    },
    async close(): Promise<void> {
      await client.end();
      await portal.stop();
    },
  };
}

/** Whether the citizen can sign in: the account is not blocked, pending, foreign or closing. */
function isUsable(index: number): boolean {
  return index % 200 !== 7 && index % 50 !== 13 && index % 50 !== 49 && index % 1000 !== 8;
}

async function signInCitizen(portal: OwnPortal, filled: FilledDatabase, index: number, turn: number) {
  const address = `10.9.${(turn >> 8) & 255}.${turn & 255}`;
  const browser = openBrowser(portal.url, (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', address);
    return fetch(input, { ...init, headers });
  });
  const { country, number, type } = computeCitizen(filled, index).document;
  const where = await browser.signIn({ document: number, password, country, type });
  if (!where.startsWith('/')) throw new Error(`${country}-${type}-${number} is not signed in: ${where}`);
  return browser;
}

async function createReader(browser: Awaited<ReturnType<typeof signInCitizen>>) {
  const token = await browser.bearer();
  const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
  return { path: `/rest/ciudadanos/${cid}/`, headers: { authorization: `Bearer ${token}` } };
}

/** Reads the CPU time of the server's process and all its threads from its metrics, in milliseconds. */
async function readServerCpu(metricsPort: string): Promise<number> {
  const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]) * 1000;
}

/**
 * Sums the CPU time of PostgreSQL's backends for this database, in milliseconds. Reads /proc, so PostgreSQL must run on
 * the same machine.
 */
async function readDatabaseCpu(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.reduce((total, { pid }) => total + readProcessCpu(pid), 0);
}

/** Reads `utime` and `stime` (proc(5)), which are in ticks of 10 ms. Returns milliseconds. */
function readProcessCpu(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
