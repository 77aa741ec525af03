import { sql, type Kysely, type Migration } from 'kysely';

/** Whose accounts share a mailbox is asked in whatever case the address was typed. */
export const mailboxIndex: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index citizens_mailbox on citizens (lower(email))`.execute(db);
  },
};
