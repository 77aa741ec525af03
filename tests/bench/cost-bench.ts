import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash, verify } from '@node-rs/argon2';
import pg from 'pg';
import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';
import { startPortal } from '../e2e/support/portal.ts';
import { openBrowser, type Browser } from '../server/support/browser.ts';
import { freePort } from '../server/support/free-port.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { startWireCounts, type WireCounts } from '../server/support/wire-counts.ts';
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
    const documents = await addCitizens(postgres.url);
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
    return [
      await measure('a read with a token', 3000, async () =>
        read(await fetch(`${portal.url}/rest/ciudadanos/${cid}/`, { headers: { authorization } })),
      ),
      await measure('a token for a session', 1000, async () => void (await first.browser.bearer())),
      await measure('a page that is kept: /', 2000, page('/')),
      await measure('a page that is kept: /ayuda', 2000, page('/ayuda')),
      await measure('a page that is kept: /registro', 2000, page('/registro')),
      await measure('the start of a sign-in', 800, (lane) => browsers[lane]?.start()),
      await measure('a whole sign-in', 200, (lane) => browsers[lane]?.signIn()),
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

/** Answers the numbers of passports, each of a copy of the sample citizen whose account is complete. */
async function addCitizens(url: string): Promise<readonly string[]> {
  const numbers = Array.from({ length: lanes }, (_, lane) => `BENCH${lane}`);
  const database = new pg.Client(url);
  await database.connect();
  try {
    for (const number of numbers) {
      await database.query(
        `insert into citizens select (jsonb_populate_record(c, jsonb_build_object(
           'id', $1::text, 'country', 'ar', 'type', 'psp', 'number', $1::text, 'email', $1::text || '@bench.example'))).*
         from citizens c where number = $2`,
        [number, sampleCitizens[0].document],
      );
      await database.query(
        `insert into credentials select (jsonb_populate_record(k, jsonb_build_object('citizen_id', $1::text))).*
         from credentials k join citizens c on c.id = k.citizen_id where c.number = $2`,
        [number, sampleCitizens[0].document],
      );
    }
  } finally {
    await database.end();
  }
  return numbers;
}

/** One citizen's browser at an address of its own, which keeps its cookies but for the session's, as one that was closed for a night. */
function browserOf(origin: string, number: string, lane: number) {
  const headers = {
    'x-forwarded-for': `10.0.0.${lane + 1}`,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
  };
  const from: typeof fetch = (url, init) => fetch(url, { ...init, headers: { ...headers, ...init?.headers } });
  const browser: Browser = openBrowser(origin, from);
  const post = async (challenge: string, data: object, token: string | null) => {
    const answer = await browser.post('/auth/login', { challenge, data_challenge: data, extra: null, token });
    if (!answer.ok) throw new Error(`${challenge}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as { readonly token: string };
  };
  const begin = () =>
    post('username', { username: number, pais_emisor: 'ar', tipo_documento: 'psp' }, null).then(({ token }) => token);
  return {
    browser,
    async start(): Promise<void> {
      await begin();
    },
    async signIn(): Promise<void> {
      browser.forget('portal-session');
      await post('urn:iduruguay:am:password', { password: sampleCitizens[0].password }, await begin());
    },
  };
}

async function read(answer: Response): Promise<void> {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  await answer.arrayBuffer();
}
