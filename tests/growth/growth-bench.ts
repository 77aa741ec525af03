import { readFileSync } from 'node:fs';
import pg from 'pg';
import { median } from '../bench/median.ts';
import { projectRoot, startPortalProcess, type OwnPortal } from '../e2e/support/portal.ts';
import { openBrowser } from '../server/support/browser.ts';
import { freePort } from '../server/support/free-port.ts';
import { citizenOf } from './fill-tables.ts';
import { password } from './fill.ts';

/** A database that was filled, and what it was filled with. */
export interface FilledDatabase {
  readonly url: string;
  readonly citizens: number;
  readonly seed: number;
}

/** What one request takes of a server and of PostgreSQL, in milliseconds; ratios are those of one round. */
export interface GrowthFigures {
  readonly work: string;
  readonly cpu: readonly [small: number, large: number];
  readonly cpuRatio: number;
  /** CPU time of PostgreSQL for it. */
  readonly database: readonly [small: number, large: number];
  readonly databaseRatio: number;
}

const rounds = 7;
const works = { 'a password sign-in': 30, 'a read with a token': 300 } as const;

/** The same work on two databases, in turn, so that other load of the machine falls on both. */
export async function measureGrowth(
  small: FilledDatabase,
  large: FilledDatabase,
  keysDir: string,
): Promise<readonly GrowthFigures[]> {
  const sides = [await openSide(small, keysDir), await openSide(large, keysDir)] as const;
  try {
    const figures: GrowthFigures[] = [];
    for (const [work, times] of Object.entries(works)) {
      const run = async (side: Side) => side.costOf(work === 'a password sign-in' ? side.signIn : side.read, times);
      for (const side of sides) await run(side); // plans, caches, compiled code
      const pairs: (readonly [Cost, Cost])[] = [];
      for (let round = 0; round < rounds; round += 1) pairs.push([await run(sides[0]), await run(sides[1])]);
      const middle = (of: (pair: readonly [Cost, Cost]) => number): number => median(pairs.map(of));
      figures.push({
        work,
        cpu: [middle(([one]) => one.cpuMs), middle(([, other]) => other.cpuMs)],
        cpuRatio: middle(([one, other]) => other.cpuMs / one.cpuMs),
        database: [middle(([one]) => one.databaseMs), middle(([, other]) => other.databaseMs)],
        databaseRatio: middle(([one, other]) => other.databaseMs / one.databaseMs),
      });
    }
    return figures;
  } finally {
    for (const side of sides) await side.close();
  }
}

interface Cost {
  readonly cpuMs: number;
  readonly databaseMs: number;
}

type Side = Awaited<ReturnType<typeof openSide>>;

async function openSide(filled: FilledDatabase, keysDir: string) {
  const metricsPort = String(await freePort());
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
  /** Another citizen each time, from an address of its own, so that nobody waits for a limit of tries. */
  const next = (): ReturnType<typeof signedIn> => {
    turn += 1;
    const index = Math.floor(filled.citizens * 0.9) + ((turn * 7919) % Math.floor(filled.citizens * 0.1));
    return isUsable(index) ? signedIn(portal, filled, index, turn) : next();
  };
  let reader: Awaited<ReturnType<typeof readerOf>>;
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
      reader = await readerOf(await next()); // a token lasts five minutes
      const [cpu, database] = [await cpuOf(metricsPort), await databaseOf(client)];
      for (let time = 0; time < times; time += 1) await run();
      return {
        cpuMs: ((await cpuOf(metricsPort)) - cpu) / times,
        databaseMs: ((await databaseOf(client)) - database) / times,
      };
    },
    async close(): Promise<void> {
      await client.end();
      await portal.stop();
    },
  };
}

/** Neither blocked, nor pending, nor a record of a foreign provider, nor to be closed. */
function isUsable(index: number): boolean {
  return index % 200 !== 7 && index % 50 !== 13 && index % 50 !== 49 && index % 1000 !== 8;
}

async function signedIn(portal: OwnPortal, filled: FilledDatabase, index: number, turn: number) {
  const address = `10.9.${(turn >> 8) & 255}.${turn & 255}`;
  const browser = openBrowser(portal.url, (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-forwarded-for', address);
    return fetch(input, { ...init, headers });
  });
  const { country, number, type } = citizenOf(filled, index).document;
  const where = await browser.signIn({ document: number, password, country, type });
  if (!where.startsWith('/')) throw new Error(`${country}-${type}-${number} is not signed in: ${where}`);
  return browser;
}

async function readerOf(browser: Awaited<ReturnType<typeof signedIn>>) {
  const token = await browser.bearer();
  const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
  return { path: `/rest/ciudadanos/${cid}/`, headers: { authorization: `Bearer ${token}` } };
}

/** CPU time of the server's process with all its threads, in milliseconds, as it tells Prometheus. */
async function cpuOf(metricsPort: string): Promise<number> {
  const text = await (await fetch(`http://localhost:${metricsPort}/metrics`)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]) * 1000;
}

/** CPU time of the server's connections in PostgreSQL, in milliseconds, as Linux counts it: both are on this machine. */
async function databaseOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows.reduce((total, { pid }) => total + cpuOfProcess(pid), 0);
}

/** `utime` and `stime` of proc(5), in ticks of 10 ms. */
function cpuOfProcess(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
