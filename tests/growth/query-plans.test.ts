import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseTableDescriptions } from '../../src/server/app/server-modules.ts';
import { verifyAuditLog } from '../../src/server/platform/audit/verify-audit.ts';
import { startLiveServer, type LiveServer } from '../server/support/live-server.ts';
import { startPostgres, type TestPostgres } from '../server/support/postgres.ts';
import { placeSigningKey } from '../server/support/signing-key.ts';
import { fillDatabase } from './fill-database.ts';
import { computeCitizen } from './fill-tables.ts';
import { listHotOperations, type HotOperations } from './hot-operations.ts';
import { findGenericPlanFaults, findPlanFaults, countRows } from './query-plan-faults.ts';
import { recordStatements, type Recorder, type Statement } from './record-statements.ts';

const country = { citizens: 2_000, seed: 7 };

/** Tables with personal data that stay small, because only agents have mailboxes. */
const small = ['agent_mailboxes'];
/** Tables with personal data, which grow with the number of citizens. */
const large = new Set(
  Object.entries(databaseTableDescriptions).flatMap(([name, { data }]) =>
    data === null || small.includes(name) ? [] : [name],
  ),
);

let folder: string;
let postgres: TestPostgres;
let server: LiveServer;
let paths: HotOperations;
let recorder: Recorder;
let client: pg.Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-growth-'));
  postgres = await startPostgres({ tables: true });
  const env = {
    DATABASE_URL: postgres.url,
    KEYS_DIR: join(folder, 'keys'),
    DATA_DIR: folder,
    CAPTCHA_COST: '1',
    SAMPLE_DATA: 'off',
    SUPPORT_HOURS: 'mon-sun 00:00-23:30 x50',
  };
  await placeSigningKey(folder);
  await fillDatabase(env, { ...country, auditRows: 5_000 });
  recorder = recordStatements();
  server = await startLiveServer(env);
  paths = listHotOperations(server, country);
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  // Disables sequential scans, so that a plan with one means that no index fits. Otherwise PostgreSQL would prefer one
  // for small tables.
  await client.query('set enable_seqscan = off');
});
afterAll(async () => {
  recorder.close();
  await client.end();
  await server.close();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

test('[OPER-11] filled database has at least 900 rows in each large table with personal data', async () => {
  const counts = await countRows(client);
  expect([...large].filter((name) => (counts.get(name) ?? 0) < 900)).toEqual([]);
});

test('[OPER-11] filled database has an audit log that passes verification', async () => {
  expect(await verifyAuditLog(server.parts.store.db, { keys: server.parts.auditKeys })).toEqual([]);
});

test('[OPER-11] foreign keys that cascade on delete all have an index', async () => {
  const { rows } = await client.query<{ key: string }>(`
    select conrelid::regclass || '.' || conname as key from pg_constraint
    where contype = 'f' and confdeltype in ('c', 'n') and connamespace = current_schema()::regnamespace
      and not exists (select from pg_index where indrelid = conrelid and indkey[0] = conkey[1] and indpred is null)`);
  expect(rows.map(({ key }) => key)).toEqual([]);
});

describe('statements of hot operations', () => {
  /** Statements whose plans have been checked, by text. */
  const seen = new Map<string, Statement>();

  test('[OPER-11] never read all rows of a large table in a sign-in, read, booking, desk request or job', async () => {
    const faults: string[] = [];
    for (const [name, run] of paths)
      for (const statement of await recorder.during(run)) {
        if (seen.has(statement.text)) continue;
        seen.set(statement.text, statement);
        for (const fault of await findPlanFaults(client, statement, large))
          faults.push(`${name}: ${fault}: ${statement.text}`);
      }
    expect(faults).toEqual([]);
  });

  test('[OPER-11] find the next mail with an index if many mails wait behind many sent ones', async () => {
    const claim =
      [...seen.values()].find(({ text }) => text.includes('skip locked')) ?? expect.fail('no mail is claimed');
    await client.query('update outbox set sent_at = null where id > (select max(id) - 600 from outbox)');
    await client.query('analyze outbox');
    expect(await findPlanFaults(client, claim, large)).toEqual([]);
  });

  test('[OPER-11] purge large tables with an index, whatever share of the rows PostgreSQL estimates as old', async () => {
    await client.query('set enable_seqscan = on');
    const purges = [...seen.keys()].filter((text) =>
      /delete from "(broker_sessions|known_devices|link_tokens|oidc_records|outbox)" where ctid/.test(text),
    );
    expect(purges).toHaveLength(5);
    const faults: string[] = [];
    for (const text of purges) faults.push(...(await findGenericPlanFaults(client, text, large)));
    await client.query('set enable_seqscan = off');
    expect(faults).toEqual([]);
  });

  test('[OPER-11] include more than 100 statements and every central table', () => {
    const named = (table: string) => [...seen.keys()].filter((text) => new RegExp(`\\b${table}\\b`).test(text)).length;
    expect(seen.size).toBeGreaterThan(100);
    const read = [
      'citizens',
      'credentials',
      'broker_sessions',
      'oidc_records',
      'consents',
      'audit',
      'outbox',
      'throttle',
    ];
    expect(read.filter((table) => named(table) === 0)).toEqual([]);
  });
});

test.each([
  ['a scan of a table without an index', 'select count(*) from citizens where phone = $1', ['+598']],
  ['a scan of a complete index', 'select id from citizens order by id', []],
  ['an index whose rows a filter drops', `select * from broker_sessions where expires_at > 'epoch' and nid = 9`, []],
  ['an index on a column that is not selective', 'update consents set scopes = scopes where id > $1', ['0']],
])('[OPER-11] findPlanFaults reports %s', async (_, text, values) => {
  expect(await findPlanFaults(client, { text, values }, large)).not.toEqual([]);
});

test('[OPER-11] fillDatabase stores the citizens that the seed determines', async () => {
  const { id, document } = computeCitizen(country, 11);
  const { rows } = await client.query('select country, type, number from citizens where id = $1', [id]);
  expect(rows).toEqual([document]);
});
