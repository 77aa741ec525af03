import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabaseStore, type DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { createPreparedQuery } from '../../../src/server/platform/database/prepared-query.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startWireCounts, type WireCounts } from '../support/wire-counts.ts';

const code = 'zz';
const country = (name: string) => ({ code, name, position: 99 });

describe('store on PostgreSQL', () => {
  let postgres: TestPostgres;
  let wire: WireCounts;
  let store: DatabaseStore;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    wire = await startWireCounts(postgres.url);
    store = await openDatabaseStore({ url: wire.url, pool: 1 }, pino({ level: 'silent' }));
  });
  afterAll(async () => {
    await store.close();
    await wire.close();
    await postgres.stop();
  });

  test('takes three statements and three round trips for a committed and for a failed transaction', async () => {
    const asked = async (isKept: boolean) => {
      wire.reset();
      await store
        .transaction(async (tx) => {
          await tx.insertInto('countries').values(country('one')).execute();
          if (!isKept) throw new Error('no');
        })
        .catch(() => undefined);
      return { statements: wire.statements(), roundTrips: wire.roundTrips() };
    };
    expect(await asked(false)).toEqual({ statements: 3, roundTrips: 3 });
    expect(await asked(true)).toEqual({ statements: 3, roundTrips: 3 });
    await store.db.deleteFrom('countries').where('code', '=', code).execute();
  });

  test('[OPER-06] runs a prepared statement after a migration adds a column, and rejects one with selectAll', async () => {
    const named = createPreparedQuery<{ code: string }, { name: string }>((db, value) =>
      db.selectFrom('countries').select('name').where('code', '=', value('code')),
    );
    const all = createPreparedQuery<{ code: string }, { name: string }>((db, value) =>
      db.selectFrom('countries').selectAll().where('code', '=', value('code')),
    );
    await store.db.insertInto('countries').values(country('one')).execute();
    expect(await named(store.db, { code })).toEqual([{ name: 'one' }]);
    await sql`alter table countries add column added text`.execute(store.db);
    expect(await named(store.db, { code })).toEqual([{ name: 'one' }]);
    await expect(all(store.db, { code })).rejects.toThrow('a prepared statement names its columns');
  });
});
