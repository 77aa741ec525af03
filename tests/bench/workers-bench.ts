import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectRoot, startPortalProcess } from '../e2e/support/portal.ts';
import { freePort } from '../server/support/free-port.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { addCitizens, browserOf } from './citizens.ts';
import { load, type ServerFigures } from './load.ts';
import { benchClient, openFlows } from './oidc-bench.ts';

/** What one to three processes of a server carry together. */
export interface WorkerFigures extends ServerFigures {
  readonly workers: number;
}

const lanes = 8;

/** Measures reads, pages, sign-ins and code flows on PostgreSQL with one, two and three workers; server, database and load share the machine. */
export async function measureWorkers(): Promise<readonly WorkerFigures[]> {
  const rows: WorkerFigures[] = [];
  for (const workers of [1, 2, 3]) rows.push(...(await measure(workers)).map((figures) => ({ workers, ...figures })));
  return rows;
}

async function measure(workers: number): Promise<readonly ServerFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-workers-'));
  const postgres = await startPostgres({ tables: true });
  const metricsPort = Number(await freePort());
  const portal = await startPortalProcess(projectRoot, {
    METRICS_PORT: String(metricsPort),
    DATABASE_URL: postgres.url,
    CLIENTS_FILE: await benchClient(folder),
    TRUST_PROXY: '1',
    WORKERS: String(workers),
  });
  try {
    // The first worker starts alone, and the others take the processor while they start.
    for (let worker = 0; worker < workers; worker += 1)
      await answers(`http://localhost:${metricsPort + worker}/metrics`);
    const browsers = (await addCitizens(postgres.url, lanes)).map((document, lane) =>
      browserOf(portal.url, document, lane),
    );
    await Promise.all(browsers.map(({ signIn }) => signIn()));
    const token = (await browsers[0]?.browser.bearer()) ?? '';
    const { cid } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cid: string };
    const get = async (path: string, headers: Record<string, string>) => {
      const answer = await fetch(portal.url + path, { headers });
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      await answer.arrayBuffer();
    };
    const free = [...browsers];
    const flows = await openFlows(portal.url);
    return [
      await load('reads with a token', lanes, () =>
        get(`/rest/ciudadanos/${cid}/`, { authorization: `Bearer ${token}` }),
      ),
      await load('pages that are kept', lanes, () => get('/ayuda', { 'accept-encoding': 'br', accept: 'text/html' })),
      await load('sign-ins by password', lanes, async () => {
        const one = free.pop(); // two sign-ins of one citizen at a time would wait for each other
        await one?.signIn();
        if (one) free.push(one);
      }),
      await load('code flows of a signed-in browser', lanes, () => flows.again()),
    ];
  } finally {
    await portal.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function answers(address: string): Promise<void> {
  while (
    !(await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(200);
}
