import { sql, type Kysely, type Migration } from 'kysely';

/** Scripts of a build among the modules that replicas share; their addresses do not prove their texts, so a digest of the server's keys does. */
export const moduleDigest: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table definition_modules add column digest text`.execute(db);
  },
};
