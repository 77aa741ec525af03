import { sql, type Kysely, type Migration } from 'kysely';

/** Whose account a mail is about: two citizens may share a mailbox. */
export const mailOwners: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table outbox add column citizen_id text references citizens on delete cascade`.execute(db);
    await sql`create index outbox_citizen on outbox (citizen_id)`.execute(db);
  },
};
