import { sql, type Kysely, type Migration } from 'kysely';

/** Who is signed in has one support call by account: what somebody typed as a document or an address bars nobody else. */
export const supportByAccount: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `drop index video_calls_document`,
  `create unique index video_calls_document on video_calls (kind, country, type, number)
     where place is not null and (kind = 'elevation' or citizen_id is null)`,
  `drop index video_calls_email`,
  `create unique index video_calls_email on video_calls (kind, email)
     where place is not null and kind = 'support' and citizen_id is null`,
];
