import { sql, type Kysely, type Migration } from 'kysely';

/** Each row of the audit log names its writer, its number there and the committed rows before it, under a keyed digest. Older rows have none. */
export const auditDigests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table audit
      add column writer text, add column number bigint, add column follows int8multirange, add column digest text`.execute(
      db,
    );
  },
};
