import { sql, type Kysely, type Migration } from 'kysely';

/** Who did what the audit log tells, and by which device; null: a row from before. */
export const actors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table audit add column actor text, add column user_agent text`.execute(db);
  },
};
