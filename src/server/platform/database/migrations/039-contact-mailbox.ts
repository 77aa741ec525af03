import { sql, type Kysely, type Migration } from 'kysely';

/** How many messages a mailbox sent lately is asked by the mailbox, whatever tag and dots its address was typed with. */
export const contactMailbox: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create index contact_messages_mailbox on contact_messages (
      (replace(regexp_replace(split_part(lower(email), '@', 1), '(.)[+].*$', '\\1'), '.', '') || '@' || split_part(lower(email), '@', 2)),
      created_at)`.execute(db);
  },
};
