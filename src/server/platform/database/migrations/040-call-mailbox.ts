import { sql, type Kysely, type Migration } from 'kysely';

/**
 * Who is not signed in has one support call a mailbox, whatever tag and dots its address was typed with. Of the calls that a mailbox has more of already only
 * the first counts: nobody who booked loses a call.
 */
export const callMailbox: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const mailbox = `replace(regexp_replace(split_part(lower(email), '@', 1), '(.)[+].*$', '\\1'), '.', '') || '@' || split_part(lower(email), '@', 2)`;
const counted = `place is not null and kind = 'support' and citizen_id is null`;

const statements = [
  `alter table video_calls add column mailbox text`,
  `update video_calls set mailbox = ${mailbox} where id in (
     select distinct on (${mailbox}) id from video_calls where ${counted} order by ${mailbox}, created_at, id)`,
  `create unique index video_calls_mailbox on video_calls (kind, mailbox) where ${counted}`,
];
