import { Socket } from 'node:net';
import { pino } from 'pino';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openStore, type Store, type Tx } from '../../../src/server/platform/database/open-store.ts';
import { later } from '../../../src/server/platform/database/pipeline.ts';
import { prepared, preparedInsert, preparedLater } from '../../../src/server/platform/database/prepared.ts';
import { bothDatabases } from '../support/databases.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';
import { startWireCounts, type WireCounts } from '../support/wire-counts.ts';

const code = 'zz';
const insert = (tx: Tx, name: string) => tx.insertInto('countries').values({ code, name, position: 99 });
const namesIn = async ({ db }: Store) =>
  (await db.selectFrom('countries').select('name').where('code', '=', code).execute()).map(({ name }) => name);

describe.each(bothDatabases)('what travels later, on %s', (database) => {
  let on: TestStore;
  beforeAll(async () => {
    on = await openTestStore(database);
  });
  afterAll(() => on.close());
  beforeEach(() => on.store.db.deleteFrom('countries').where('code', '=', code).execute());

  test('is there for the next statement, and after the commit', async () => {
    const seen = await on.store.transaction(async (tx) => {
      await later(tx, insert(tx, 'one'));
      await later(tx, tx.updateTable('countries').set({ name: 'two' }).where('code', '=', code));
      return tx.selectFrom('countries').select('name').where('code', '=', code).execute();
    });
    expect(seen).toEqual([{ name: 'two' }]);
    expect(await namesIn(on.store)).toEqual(['two']);
  });

  test('is built once, with the values of each time', async () => {
    const add = preparedInsert('countries', ['code', 'name', 'position']);
    const rename = preparedLater<{ from: string; to: string }>((db, value) =>
      db
        .updateTable('countries')
        .set({ name: value('to') })
        .where('name', '=', value('from')),
    );
    for (const name of ['one', 'three']) {
      await on.store.transaction(async (tx) => {
        await add(tx, { code, name, position: 99 });
        await rename(tx, { from: name, to: `${name} and a half` });
      });
      expect(await namesIn(on.store)).toEqual([`${name} and a half`]);
      await on.store.db.deleteFrom('countries').where('code', '=', code).execute();
    }
  });

  test('is the transaction’s own failure: at the next statement, or at the commit', async () => {
    const twice = async (tx: Tx) => {
      await later(tx, insert(tx, 'one'));
      await later(tx, insert(tx, 'again'));
    };
    await expect(on.store.transaction(twice)).rejects.toMatchObject({ code: '23505' });
    await expect(
      on.store.transaction(async (tx) => {
        await twice(tx);
        await tx.selectFrom('countries').select('code').execute();
      }),
    ).rejects.toMatchObject({ code: '23505' });
    expect(await namesIn(on.store)).toEqual([]);
  });

  test('is taken back with the transaction', async () => {
    const failed = on.store.transaction(async (tx) => {
      await later(tx, insert(tx, 'one'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect(await namesIn(on.store)).toEqual([]);
    await expect(later(on.store.db as Tx, insert(on.store.db as Tx, 'one'))).rejects.toThrow('nothing would send');
  });
});

describe('on PostgreSQL', () => {
  let postgres: TestPostgres;
  let wire: WireCounts;
  let store: Store;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    wire = await startWireCounts(postgres.url);
    store = await openStore({ url: wire.url, pool: 1 }, pino({ level: 'silent' }));
  });
  afterAll(async () => {
    await store.close();
    await wire.close();
    await postgres.stop();
  });
  beforeEach(() => store.db.deleteFrom('countries').where('code', '=', code).execute());
  const asked = async (work: () => Promise<unknown>) => {
    wire.reset();
    await work();
    return { statements: wire.statements(), roundTrips: wire.roundTrips() };
  };
  const read = (tx: Tx) => tx.selectFrom('countries').select('code').execute();

  test('a transaction begins with what it reads first, and commits with what it writes last', async () => {
    const work = async (tx: Tx) => {
      await read(tx);
      await later(tx, insert(tx, 'one'));
    };
    expect(await asked(() => store.transaction(work))).toEqual({ statements: 4, roundTrips: 2 });
  });

  test('statements that travel together are one write to the socket', async () => {
    const port = Number(new URL(wire.url).port);
    const written: number[] = [];
    const { _write, _writev } = Socket.prototype;
    const counted = (socket: Socket): number => (socket.remotePort === port ? written.push(port) : 0);
    vi.spyOn(Socket.prototype, '_write').mockImplementation(function (this: Socket, ...given) {
      counted(this);
      return _write.apply(this, given);
    });
    vi.spyOn(Socket.prototype, '_writev').mockImplementation(function (this: Socket, ...given) {
      counted(this);
      return _writev?.apply(this, given);
    });
    await store.transaction(async (tx) => {
      await read(tx);
      await later(tx, insert(tx, 'one'));
      await later(tx, tx.updateTable('countries').set({ name: 'two' }).where('code', '=', code));
    });
    vi.restoreAllMocks();
    expect(written).toHaveLength(2);
    expect(await namesIn(store)).toEqual(['two']);
  });

  test('what may write waits for the transaction to have begun', async () => {
    expect(await asked(() => store.transaction((tx) => insert(tx, 'one').execute()))).toEqual({
      statements: 3,
      roundTrips: 3,
    });
    expect(await asked(() => store.transaction(async () => {}))).toEqual({ statements: 0, roundTrips: 0 });
  });

  test('a change costs the same whether it is kept or taken back', async () => {
    const work = async (tx: Tx) => {
      await read(tx);
      await later(tx, insert(tx, 'one'));
    };
    const takenBack = await asked(() =>
      store
        .transaction(async (tx) => {
          await work(tx);
          throw new Error('no');
        })
        .catch(() => undefined),
    );
    expect(takenBack).toEqual(await asked(() => store.transaction(work)));
  });

  test('[OPER-06] a prepared statement is asked through a migration that adds a column, and names its columns', async () => {
    const named = prepared<{ code: string }, { name: string }>((db, value) =>
      db.selectFrom('countries').select('name').where('code', '=', value('code')),
    );
    const all = prepared<{ code: string }, { name: string }>((db, value) =>
      db.selectFrom('countries').selectAll().where('code', '=', value('code')),
    );
    await store.transaction((tx) => insert(tx, 'one').execute());
    expect(await named(store.db, { code })).toEqual([{ name: 'one' }]);
    await sql`alter table countries add column added text`.execute(store.db);
    expect(await named(store.db, { code })).toEqual([{ name: 'one' }]);
    await expect(all(store.db, { code })).rejects.toThrow('a prepared statement names its columns');
  });
});
