import { sql, type Kysely, type Migration } from 'kysely';

/**
 * A sign-in for a document with an account costs what one for a document without costs: a foreign key is checked for the first alone. Whoever
 * deletes a citizen deletes the sign-ins.
 */
export const challengesAlike: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table challenges drop constraint challenges_citizen_id_fkey`.execute(db);
  },
};
