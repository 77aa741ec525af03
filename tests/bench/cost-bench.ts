import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import { startPortal } from '../e2e/support/portal.ts';
import { freePort } from '../server/support/free-port.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { startWireCounts, type WireCounts } from '../server/support/wire-counts.ts';
import { addCitizens, addOthers, browserOf } from './citizens.ts';
import { median } from './median.ts';
import { benchClient, openFlows } from './oidc-bench.ts';

/** What one request, or one journey of several, costs a server. */
export interface CostFigures {
  readonly work: string;
  /** CPU time of the server's process with all its threads, in milliseconds; other load of the machine hardly moves it. */
  readonly cpuMs: number;
  readonly statements: number;
  readonly roundTrips: number;
}

/** Citizens, each of whom one lane signs in: two sign-ins of one citizen at a time would wait for each other. */
const lanes = 4;
const counted = 5;
/** Reads beforehand: V8 has optimized what a server does at every request, as on one that has served for minutes. */
const warmUp = 8000;
/** Citizens who do not sign in. */
const others = 20_000;

/** Measures what is asked for most, on a server with PostgreSQL, in some seconds for each. */
export async function measureCosts(): Promise<readonly CostFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-costs-'));
  const postgres = await startPostgres({ tables: true });
  const wire = await startWireCounts(postgres.url);
  const metricsPort = String(await freePort());
  const portal = await startPortal({
    DATABASE_URL: wire.url,
    CLIENTS_FILE: await benchClient(folder),
    METRICS_PORT: metricsPort,
    TRUST_PROXY: '1',
    LOG_LEVEL: 'info',
  });
  try {
    const documents = await addCitizens(postgres.url, lanes);
    await addOthers(postgres.url, others);
    const cpuMs = () => cpuOf(`http://localhost:${metricsPort}/metrics`);
    const measure = (work: string, times: number, run: Run) => costOf(work, times, run, { cpuMs, wire });
    const browsers = documents.map((document, lane) => browserOf(portal.url, document, lane));
    const first = browsers[0];
    if (first === undefined) throw new Error('there are no citizens');
    await Promise.all(browsers.map(({ signIn }) => signIn()));
    const token = await first.browser.bearer();
    const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
    const authorization = `Bearer ${token}`;
    const page = (path: string) => async () => {
      await read(await fetch(`${portal.url}${path}`, { headers: { 'accept-encoding': 'br', accept: 'text/html' } }));
    };
    const flows = await openFlows(portal.url);
    const readRecord = async () =>
      read(await fetch(`${portal.url}/rest/ciudadanos/${cid}/`, { headers: { authorization } }));
    await inLanes(warmUp, readRecord);
    return [
      await measure('a read with a token', 3000, readRecord),
      await measure('a token for a session', 1000, async () => void (await first.browser.bearer())),
      await measure('a page that is kept: /', 2000, page('/')),
      await measure('a page that is kept: /ayuda', 2000, page('/ayuda')),
      await measure('a page that is kept: /registro', 2000, page('/registro')),
      await measure('the start of a sign-in', 800, (lane) => browsers[lane]?.start()),
      await measure('a whole sign-in', 1000, (lane) => browsers[lane]?.signIn()),
      await argon2id(),
      await measure('an OIDC code flow of a signed-in browser', 120, () => flows.again()),
    ];
  } finally {
    await portal.stop();
    await wire.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Run = (lane: number) => Promise<void> | undefined;

/** Statements and round trips of single runs, then CPU time of many in some lanes. */
async function costOf(
  work: string,
  times: number,
  run: Run,
  { cpuMs, wire }: { readonly cpuMs: () => Promise<number>; readonly wire: WireCounts },
): Promise<CostFigures> {
  await inLanes(times / 4, run);
  const counts: { statements: number; roundTrips: number }[] = [];
  for (let turn = 0; turn < counted; turn += 1) {
    wire.reset();
    await run(0);
    counts.push({ statements: wire.statements(), roundTrips: wire.roundTrips() }); // those of a job may be among them: the median has none
  }
  const before = await cpuMs();
  await inLanes(times, run);
  const spent = (await cpuMs()) - before;
  return {
    work,
    cpuMs: spent / times,
    statements: median(counts.map(({ statements }) => statements)),
    roundTrips: median(counts.map(({ roundTrips }) => roundTrips)),
  };
}

function inLanes(times: number, run: (lane: number) => Promise<unknown> | undefined): Promise<unknown> {
  return Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (let turn = lane; turn < times; turn += lanes) await run(lane);
    }),
  );
}

/** What of a sign-in no code of ours can save, as the password hashes are made, as many at a time: they need the same memory bus. */
async function argon2id(): Promise<CostFigures> {
  const stored = await hash('tres-tazas-de-mate', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const times = 80;
  const before = process.cpuUsage();
  await inLanes(times, () => verify(stored, 'tres-tazas-de-mate'));
  const { user, system } = process.cpuUsage(before);
  return { work: 'argon2id of it, alone', cpuMs: (user + system) / 1000 / times, statements: 0, roundTrips: 0 };
}

/** CPU time that the server's process has taken so far, as it tells Prometheus. */
async function cpuOf(metrics: string): Promise<number> {
  const text = await (await fetch(metrics)).text();
  return Number(/^process_cpu_seconds_total ([\d.e+-]+)/m.exec(text)?.[1]) * 1000;
}

async function read(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  await answer.arrayBuffer();
}
