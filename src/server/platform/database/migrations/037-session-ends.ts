import { sql, type Kysely, type Migration } from 'kysely';

/** Sessions that ended, until the applications that they were signed in to have heard of it. */
export const sessionEnds: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table session_ends (
      session_id text primary key, payload text, told text not null default '[]', attempts int not null default 0,
      due_at timestamptz not null default now(), created_at timestamptz not null default now()
    )`.execute(db);
    await sql`create index session_ends_due on session_ends (due_at)`.execute(db);
  },
};
