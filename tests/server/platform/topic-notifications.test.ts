import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { notifyTopic } from '../../../src/server/platform/database/notifications.ts';
import { bothDatabases } from '../support/databases.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

describe.each(bothDatabases)('topic notifications on %s', (database) => {
  let server: TestStore;
  beforeAll(async () => {
    server = await openTestStore(database);
  });
  afterAll(() => server.close());

  test('reach subscribers of a topic after the commit, and never after a rollback or an unsubscription', async () => {
    const { store } = server;
    const heard: string[] = [];
    const stops = [
      await store.notifications.subscribe('a', () => heard.push('a')),
      await store.notifications.subscribe('b', () => heard.push('b')),
    ];
    await expect(
      store.transaction(async (tx) => {
        await notifyTopic(tx, 'a');
        throw new Error('midway');
      }),
    ).rejects.toThrow('midway');
    await store.transaction(async (tx) => {
      await notifyTopic(tx, 'b');
      await sql`select 1`.execute(tx);
      expect(heard, 'nothing before the commit').toEqual([]);
    });
    await vi.waitFor(() => expect(heard).toEqual(['b']));
    for (const stop of stops) stop();
    await notifyTopic(store.db, 'a');
    await notifyTopic(store.db, 'c');
    const last = vi.fn<() => void>();
    const stop = await store.notifications.subscribe('d', last);
    await notifyTopic(store.db, 'd');
    await vi.waitFor(() => expect(last).toHaveBeenCalledTimes(1));
    stop();
    expect(heard, 'nothing after the unsubscription').toEqual(['b']);
  });

  test.runIf(database === 'postgresql')('reach all subscribers after a lost connection, and continue', async () => {
    const { store } = server;
    const listener = vi.fn<() => void>();
    const stop = await store.notifications.subscribe('a', listener);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen news'`.execute(store.db);
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(1), 10_000);
    await notifyTopic(store.db, 'a');
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2));
    stop();
  });
});
