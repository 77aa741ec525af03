import { sql, type Kysely, type Migration } from 'kysely';

/** The day that was promised for the answer of a message: a setting that changes later moves no promise. */
export const contactDue: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table contact_messages add column due text`.execute(db);
  },
};
