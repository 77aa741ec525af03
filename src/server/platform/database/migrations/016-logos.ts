import { sql, type Kysely, type Migration } from 'kysely';

/** Logos of applications and identity providers, as they were fetched from their addresses. */
export const logos: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table logos (
      source text primary key, hash text not null, type text not null, content text not null, fetched_at timestamptz not null)`.execute(
      db,
    );
    await sql`create index logos_hash on logos (hash)`.execute(db);
  },
};
