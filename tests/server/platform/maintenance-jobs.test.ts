import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../../src/server/platform/base/errors.ts';
import { LeaseLostError, runWithLease } from '../../../src/server/platform/jobs/lease.ts';
import { createServerJobs } from '../../../src/server/app/create-server-services.ts';
import { purgeExpiredData } from '../../../src/server/app/purge-expired-data.ts';
import { openDatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { bothDatabases } from '../support/databases.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const log = pino({ level: 'silent' });

describe.each(bothDatabases)('maintenance on %s', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await openTestServer({ database });
  }, 60_000);
  afterAll(() => server.close());

  test('[OPER-04] purges all expired rows, preserves the others, and does not purge while another replica has the lease', async () => {
    const { store } = server.parts;
    const now = server.clock.now();
    const replay = (hash: string, seconds: number) => ({ hash, expires_at: new Date(now.getTime() + seconds * 1000) });
    await store.db
      .insertInto('captcha_replays')
      .values([...Array.from({ length: 2_500 }, (_, index) => replay(`old-${index}`, -1)), replay('new', 1)])
      .execute();
    const left = async () => (await store.db.selectFrom('captcha_replays').select('hash').execute()).length;
    expect(await runWithLease(store, 'purge', async () => void (await purgeExpiredData(server.parts, now)))).toBe(true);
    expect(await left(), 'rows left while another replica has the lease').toBe(2_501);
    await purgeExpiredData(server.parts, now);
    expect(await left()).toBe(1);
  });

  test('[OPER-12] each purge logs the deleted rows by table, {} if none were due, and nothing if another replica purges', async () => {
    const { store } = server.parts;
    const lines: string[] = [];
    const jobs = createServerJobs({
      ...server.parts,
      log: pino({}, { write: (line: string) => void lines.push(line) }),
    });
    const { run } = jobs.find(({ name }) => name === 'purge') ?? expect.fail('no job');
    const readLog = async () => {
      await run();
      return lines.splice(0).map((line) => JSON.parse(line) as unknown);
    };
    await run();
    lines.length = 0;
    await store.db
      .insertInto('captcha_replays')
      .values({ hash: 'due', expires_at: new Date(server.clock.now().getTime() - 1000) })
      .execute();
    expect(await readLog()).toMatchObject([{ msg: 'purged', deleted: { captcha_replays: 1 } }]);
    expect(await readLog()).toMatchObject([{ msg: 'purged', deleted: {} }]);
    await runWithLease(store, 'purge', async () => expect(await readLog()).toEqual([]));
  });

  test('purges expired sign-ins with an identity provider, and preserves the others', async () => {
    const { db } = server.parts.store;
    const now = server.clock.now();
    const begun = (hash: string, seconds: number) => ({
      hash,
      browser: 'b',
      provider: 'br',
      kept: '',
      process_state: null,
      redirect_url: null,
      answered_at: null,
      person: null,
      linked_at: null,
      created_at: now,
      expires_at: new Date(now.getTime() + seconds * 1000),
    });
    await db
      .insertInto('provider_sign_ins')
      .values([begun('old', -1), begun('new', 1)])
      .execute();
    await purgeExpiredData(server.parts, now);
    expect(await db.selectFrom('provider_sign_ins').select('hash').execute()).toEqual([{ hash: 'new' }]);
  });

  test('[OPER-04] takes over the lease of a dead replica once it has expired', async () => {
    const { store } = server.parts;
    const left = sql<Date>`now() - interval '1 second'`;
    await store.db
      .insertInto('leases')
      .values({ name: 'work', until: sql<Date>`now() + interval '1 minute'` })
      .execute();
    expect(await runWithLease(store, 'work', async () => undefined)).toBe(false);
    await store.db.updateTable('leases').set({ until: left }).where('name', '=', 'work').execute();
    expect(await runWithLease(store, 'work', (renew) => renew())).toBe(true);
    expect(await store.db.selectFrom('leases').select('name').execute()).toEqual([]);
  });

  test('[OPER-04] rejects the late renewal of a lease, and does not delete the lease of another holder', async () => {
    const { store } = server.parts;
    const rows = () => store.db.selectFrom('leases').select('name').execute();
    let late: unknown;
    await runWithLease(store, 'work', async (renew) => {
      await renew();
      await store.db
        .updateTable('leases')
        .set({ until: sql<Date>`now() - interval '1 second'` })
        .execute();
      await setTimeout(2); // the clock of PGlite has a resolution of one millisecond: without the wait, both leases could end at the same time
      await runWithLease(store, 'work', async () => {
        late = await renew().catch((error: unknown) => error);
        expect(late).toBeInstanceOf(LeaseLostError);
        const again = runWithLease(store, 'work', async () => undefined);
        expect(await again).toBe(false);
      });
      expect(await rows()).toEqual([]);
      await store.db
        .insertInto('leases')
        .values({ name: 'work', until: sql<Date>`now() + interval '1 minute'` })
        .execute();
    });
    expect(await rows()).toEqual([{ name: 'work' }]); // the lease belongs to another holder, so it is not deleted
    await store.db.deleteFrom('leases').execute();
  });

  test('has an index for every foreign key to citizens', async () => {
    const { rows } = await sql<{ key: string }>`
      select c.conrelid::regclass || '.' || a.attname as key
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'citizens'::regclass
        and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`.execute(
      server.parts.store.db,
    );
    expect(rows).toEqual([]);
  });

  test.each([
    ['outbox', 'recipient'],
    ['outbox', 'created_at'],
    ['citizens', 'email'],
    ['link_tokens', 'subject'],
    ['challenges', 'document'],
  ])('has an index of table %s that begins with column %s', async (table, column) => {
    const { rows } = await sql`
      select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = ${table}::regclass and a.attname = ${column} and i.indpred is null`.execute(
      server.parts.store.db,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('database schema versions', () => {
  let postgres: TestPostgres;
  const open = async () => (await openDatabaseStore({ url: postgres.url, pool: 1 }, log)).close();
  const run = async (...statements: string[]) => {
    const store = await openDatabaseStore({ url: postgres.url, pool: 1 }, log);
    for (const statement of statements) await sql.raw(statement).execute(store.db);
    await store.close();
  };
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres.stop());

  test('migrations run without a statement timeout, and the server with one of 20 seconds', async () => {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`create table limits (statement text)`);
    await client.query(`create function note_limit() returns event_trigger language plpgsql as $$ begin
      insert into limits values (current_setting('statement_timeout')); end $$`);
    await client.query('create event trigger note_limit on ddl_command_end execute function note_limit()');
    const store = await openDatabaseStore({ url: postgres.url, pool: 1 }, log);
    expect((await client.query('select distinct statement from limits')).rows).toEqual([{ statement: '0' }]);
    expect((await sql`show statement_timeout`.execute(store.db)).rows).toEqual([{ statement_timeout: '20s' }]);
    await client.query('drop event trigger note_limit');
    await client.end();
    await store.close();
  });

  test('an old version starts beside a compatible newer migration, and rejects an incompatible one', async () => {
    await run(
      `insert into kysely_migration (name, timestamp) values ('900-adds', now()::text)`,
      `insert into compatible_migrations values ('900-adds')`,
    );
    await open();
    await run(`insert into kysely_migration (name, timestamp) values ('901-changes', now()::text)`);
    const refused = await open().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StartError);
    expect(String(refused)).toContain('The database is newer than this version, which cannot run beside 901-changes');
  });
});
