import { sql, type Kysely, type Migration } from 'kysely';

/** Sessions whose citizen passed the identity check of an elevation. */
export const cardChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table card_checks (
      session_id text primary key references broker_sessions (id) on delete cascade, passed_at timestamptz not null)`.execute(
      db,
    );
  },
};
