import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Definitions by index name, in the form `on table (columns)`. */
export type IndexDefinitions = Readonly<Record<string, string>>;

/**
 * Creates a migration that adds indexes. It creates them itself only in an empty database. In any other database, `buildIndexesConcurrently` has
 * built them before the migration runs.
 */
export function createIndexMigration(indexes: IndexDefinitions) {
  return {
    isCompatible: true,
    indexes,
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, definition] of Object.entries(indexes))
        await sql.raw(`create index if not exists ${name} ${definition}`).execute(db);
    },
  };
}

/** Id of the advisory lock for index builds. It is a session-level lock, because indexes are built outside of transactions. */
const indexBuildLock = 20261126;
/**
 * Builds indexes with CREATE INDEX CONCURRENTLY, which does not block writes but cannot run in a transaction, and therefore not in a migration. One
 * process builds at a time. Rebuilds an invalid index that an ended process left behind.
 */
export function buildIndexesConcurrently(db: Kysely<Database>, indexes: IndexDefinitions): Promise<void> {
  return db.connection().execute(async (connection) => {
    const tryLock = sql<{ locked: boolean }>`select pg_try_advisory_lock(${indexBuildLock}) as locked`;
    // Polls, because a concurrent index build waits for all running statements: a statement that waits for the lock would deadlock.
    while (!(await tryLock.execute(connection)).rows[0]?.locked) await sleep(200);
    try {
      for (const [name, definition] of Object.entries(indexes)) {
        const { rows } = await sql<{ valid: boolean }>`
          select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(connection);
        if (rows[0]?.valid === false) await sql.raw(`drop index concurrently ${name}`).execute(connection);
        await sql.raw(`create index concurrently if not exists ${name} ${definition}`).execute(connection);
      }
    } finally {
      await sql`select pg_advisory_unlock(${indexBuildLock})`.execute(connection);
    }
  });
}
