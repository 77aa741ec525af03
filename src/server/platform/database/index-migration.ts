import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** Indexes by their names: `on table (columns)`. */
export type Indexes = Readonly<Record<string, string>>;

/** A migration that adds indexes to tables that may be large. It makes them itself in an empty database only; elsewhere `buildIndexes` has made them. */
export function indexMigration(indexes: Indexes) {
  return {
    isCompatible: true,
    indexes,
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, definition] of Object.entries(indexes))
        await sql.raw(`create index if not exists ${name} ${definition}`).execute(db);
    },
  };
}

/** The advisory lock of building, unlike that of migrations, which is of a transaction. */
const lock = 20261126;
/** Milliseconds until a process that waits for another one asks again. */
const askMs = 200;

/**
 * Builds indexes while others read and write (CREATE INDEX CONCURRENTLY), which no transaction can, and so no migration. One process at a time; what
 * another one has begun and not ended, as it died, is built anew.
 */
export function buildIndexes(db: Kysely<Database>, indexes: Indexes): Promise<void> {
  return db.connection().execute(async (connection) => {
    // Whoever waited inside a statement would be waited for: building ends after all statements that began before it.
    while (!(await hasLock(connection))) await sleep(askMs);
    try {
      for (const [name, definition] of Object.entries(indexes)) {
        const { rows } = await sql<{ valid: boolean }>`
          select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(connection);
        if (rows[0]?.valid === false) await sql.raw(`drop index concurrently ${name}`).execute(connection);
        await sql.raw(`create index concurrently if not exists ${name} ${definition}`).execute(connection);
      }
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(connection);
    }
  });
}

async function hasLock(connection: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${lock}) as locked`.execute(connection);
  return rows[0]?.locked === true;
}
