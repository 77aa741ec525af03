import { sql, type Kysely, type Migration } from 'kysely';

/** Marks a password that was reset by a mailed link: with it, a code mailed to the same mailbox is no second factor. */
export const passwordReset: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table credentials add column reset_at timestamptz`.execute(db);
  },
};
