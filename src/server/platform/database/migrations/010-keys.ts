import { sql, type Kysely, type Migration } from 'kysely';

/** Fingerprints of the keys that the database was filled with. */
export const keys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table accepted_keys (name text primary key, fingerprint text not null, accepted_at timestamptz not null)`.execute(
      db,
    );
  },
};
