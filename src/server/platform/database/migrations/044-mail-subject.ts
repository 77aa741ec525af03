import { sql, type Kysely, type Migration } from 'kysely';

/** The subject with which a mail is sent where it holds a code: what stays of the mail does not. */
export const mailSubject: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table outbox add column sent_subject text`.execute(db);
  },
};
