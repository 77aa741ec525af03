import { sql, type Kysely, type Migration } from 'kysely';

/** What leads a browser to the listener that asks for an identity card, and what that listener read. */
export const card: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table card_tickets (
      hash text primary key, challenge text not null, number text, expires_at timestamptz not null, taken_at timestamptz, used_at timestamptz)`.execute(
      db,
    );
    await sql`create index card_tickets_challenge on card_tickets (challenge)`.execute(db);
  },
};
