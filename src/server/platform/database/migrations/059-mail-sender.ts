import { sql, type Kysely, type Migration } from 'kysely';

/** Notes which sender a mail has, so that mails with codes, notices and the desk's can be told apart. */
export const mailSender: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table outbox add column sender text`.execute(db);
  },
};
