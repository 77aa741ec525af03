import { sql, type Kysely, type Migration } from 'kysely';

/** What analysts ask beyond the fields that the contract names, with bookings and messages. */
export const extraFields: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table video_calls add column extra text not null default '[]'`.execute(db);
    await sql`alter table contact_messages add column extra text not null default '[]'`.execute(db);
  },
};
