import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildIndexes } from '../../../src/server/platform/database/index-migration.ts';
import { migrate } from '../../../src/server/platform/database/migrate.ts';
import { openDatabase } from '../../../src/server/platform/database/open-store.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const before = '044-mail-subject';
const first = 'citizens_at_desk';

let postgres: TestPostgres;
const opened: Awaited<ReturnType<typeof openDatabase>>[] = [];
const open = async () => {
  const one = await openDatabase({ url: postgres.url, pool: 1 }, pino({ level: 'silent' }));
  opened.push(one);
  return one.db;
};
beforeAll(async () => {
  postgres = await startPostgres();
  await migrate(await open(), before);
});
afterAll(async () => {
  await Promise.all(opened.map(({ close }) => close()));
  await postgres.stop();
});

const connect = async () => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  return client;
};
const isValid = async (client: pg.Client) => {
  const { rows } = await client.query('select indisvalid from pg_index where indexrelid = to_regclass($1)', [first]);
  return rows[0]?.indisvalid as boolean | undefined;
};
test('[OPER-06 OPER-11] indexes of large tables are built while others write, by one of two processes', async () => {
  const [busy, writer] = [await connect(), await connect()];
  await busy.query('begin');
  await busy.query('lock table citizens in row exclusive mode'); // as a transaction that has written
  const both = [migrate(await open()), migrate(await open())];
  const waits = `select from pg_stat_activity where query ilike 'create index%' and wait_event_type = 'Lock' and datname = current_database()`;
  while ((await writer.query(waits)).rowCount === 0) await new Promise((wake) => setTimeout(wake, 20));
  await writer.query(`set lock_timeout = '5s'`);
  await writer.query('update citizens set phone = null'); // behind a plain CREATE INDEX that waits, this would wait as well
  await busy.query('commit');
  const ran = await Promise.all(both);
  expect(ran.flat().filter((name) => name > before).length).toBeGreaterThan(0);
  expect(await isValid(writer)).toBe(true);
  await Promise.all([busy.end(), writer.end()]);
});

test('[OPER-06 OPER-11] an index whose building was broken off is built anew', async () => {
  const client = await connect();
  await client.query('update pg_index set indisvalid = false where indexrelid = to_regclass($1)', [first]);
  await buildIndexes(await open(), {
    [first]: `on citizens (first_surname) where permissions -> 'agentes' is not null`,
  });
  expect(await isValid(client)).toBe(true);
  await client.end();
});
