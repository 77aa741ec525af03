import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabaseStore } from '../../src/server/platform/database/open-store.ts';
import { systemClock } from '../../src/server/platform/base/clock.ts';
import { loadServerKeys } from '../../src/server/platform/keys/load-server-keys.ts';
import { createRandom } from '../engine/support/break-file.ts';
import { findAuditFaults } from '../server/support/audit.ts';
import { configureRelyingParty } from '../server/support/relying-party.ts';
import { createKeyFilesConfig } from '../server/support/signing-key.ts';
import { ResponseLog, type Finding } from './response-log.ts';
import { clientId, startChaosCluster, type ChaosCluster } from './chaos-cluster.ts';
import { simulateCitizen } from './simulate-citizen.ts';
import { compareWithDatabase } from './compare-with-database.ts';
import { findErrorsOutsideFaults } from './errors-outside-faults.ts';
import { watchMemory, type MemoryReport } from './watch-memory.ts';
import { faults, type Fault, type FaultName, type FaultReport } from './faults.ts';

/** Responses to clients during a run with faults, and the result of their comparison with the database. */
export interface ChaosReport {
  readonly book: ResponseLog;
  readonly faults: readonly FaultReport[];
  readonly findings: readonly Finding[];
  readonly memory: readonly MemoryReport[];
}

export interface ChaosOptions {
  readonly seed: number;
  readonly minutes: number;
  readonly names: readonly FaultName[];
  readonly replicas: number;
  readonly clients: number;
  /** Pause before the first fault and after each fault, in seconds. */
  readonly restS: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly onProgress?: (line: string) => void;
}

const recoveryLimitMs = 60_000;
const mailsLimitMs = 60_000;

/**
 * Runs clients while faults occur one after another. Then compares the responses with the database. Without faults, the
 * clients run for the same time. Faults that exceed the time are skipped.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, minutes, names, replicas, clients, restS, env, onProgress = () => undefined } = options;
  const cluster = await startChaosCluster(replicas, env);
  try {
    const book = new ResponseLog();
    const end = Date.now() + minutes * 60_000;
    const random = createRandom(seed);
    let isGoing = true;
    let serial = 0;
    await waitForRecovery(cluster);
    const application = await configureRelyingParty(cluster.url, clientId, '');
    const lanes = Array.from({ length: clients }, async (_, lane) => {
      const own = createRandom(seed * 1_000 + lane);
      const world = {
        url: cluster.url,
        book,
        mailbox: cluster.mailbox,
        application,
        random: own,
        going: () => isGoing,
      };
      while (isGoing) {
        await sleep(own() * 1_000);
        await simulateCitizen(world, (serial += 1)).catch(() => undefined); // ignores the failure, because the response log contains it
      }
    });
    const memory = watchMemory(cluster.metricsPorts);
    const reports: FaultReport[] = [];
    await sleep(restS * 1_000);
    for (const name of names) {
      if (Date.now() > end) break;
      const report = await injectFault(cluster, book, name, Math.floor(random() * replicas));
      onProgress(
        `${name}: ${formatSeconds(report.ended - report.began)} s, recovered after ${report.recovered === null ? '-' : formatSeconds(report.recovered - report.ended)} s`,
      );
      reports.push(report);
      await sleep(restS * 1_000);
    }
    if (names.length === 0) await sleep(end - Date.now());
    const held = await memory.stop();
    isGoing = false;
    await Promise.all(lanes);
    onProgress('comparing');
    const findings = [
      ...book.findings,
      ...findErrorsOutsideFaults(book, reports),
      ...(await checkDatabase(cluster, book)),
    ];
    for (const { name, ended, recovered } of reports)
      if (recovered === null) findings.push({ kind: 'error', at: ended, what: `no recovery from ${name}` });
    return { book, faults: reports, findings, memory: held };
  } finally {
    await cluster.close();
  }
}

async function injectFault(
  cluster: ChaosCluster,
  book: ResponseLog,
  name: FaultName,
  one: number,
): Promise<FaultReport> {
  const fault: Fault = faults[name];
  await fault.prepare?.(cluster);
  const began = Date.now();
  const answer = await fault.strike(cluster, one, book);
  const note = typeof answer === 'string' ? answer : null;
  const ended = Date.now();
  const serves = await waitForRecovery(cluster);
  return {
    name,
    began,
    ended,
    recovered: fault.includesMails && serves ? await waitForMails(cluster, began) : serves,
    note,
  };
}

/**
 * Waits until all mails created since `since` have been sent, and returns the time at which they were. Returns `null`
 * if the time limit is exceeded.
 */
async function waitForMails({ postgres }: ChaosCluster, since: number): Promise<number | null> {
  const client = new pg.Client({ connectionString: postgres.url() });
  await client.connect();
  try {
    const from = new Date(since);
    const until = new Date();
    for (const end = Date.now() + recoveryLimitMs; Date.now() < end; await sleep(200)) {
      const waiting = 'select from outbox where sent_at is null and created_at between $1 and $2';
      if ((await client.query(waiting, [from, until])).rowCount === 0) return Date.now();
    }
    return null;
  } finally {
    await client.end();
  }
}

/**
 * Waits until every replica is ready and serves data from the database, and returns the time at which they do. Returns
 * `null` if the time limit is exceeded.
 */
async function waitForRecovery({ ports, url }: ChaosCluster): Promise<number | null> {
  const { host } = new URL(url);
  for (const end = Date.now() + recoveryLimitMs; Date.now() < end; await sleep(200)) {
    const answers = ports.flatMap((port) =>
      ['/readyz', '/rest/captcha/', '/rest/paises/'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { host }, signal: AbortSignal.timeout(2_000) }).then(
          ({ ok }) => ok,
          () => false,
        ),
      ),
    );
    if ((await Promise.all(answers)).every(Boolean)) return Date.now();
  }
  return null;
}

async function checkDatabase(
  { postgres, keysDir, mailbox }: ChaosCluster,
  book: ResponseLog,
): Promise<readonly Finding[]> {
  const store = await openDatabaseStore({ url: postgres.url(), pool: 2 }, pino({ level: 'silent' }));
  try {
    const waiting = () => store.db.updateTable('outbox').set({ due_at: new Date() }).where('sent_at', 'is', null);
    await waiting().execute(); // releases mails that a crashed worker has claimed for several minutes
    for (const end = Date.now() + mailsLimitMs; Date.now() < end; await sleep(500)) {
      const unsent = await store.db.selectFrom('outbox').select('id').where('sent_at', 'is', null).execute();
      if (unsent.length === 0) break;
    }
    const { audit } = await loadServerKeys(createKeyFilesConfig(keysDir));
    const faulty = await findAuditFaults({ store, auditKeys: audit, clock: systemClock });
    return [
      ...(await compareWithDatabase(book, store, mailbox.deliveries)),
      ...faulty.map((fault): Finding => ({ kind: 'lost', at: 0, what: `audit log: ${JSON.stringify(fault)}` })),
    ];
  } finally {
    await store.close();
  }
}

function formatSeconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
