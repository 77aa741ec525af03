import { sql, type Kysely, type Migration } from 'kysely';

/** When the citizen of a session that came by an identity provider signed in there; null: the provider does not say, or there is none. */
export const authenticatedAt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table broker_sessions add column authenticated_at timestamptz`.execute(db);
  },
};
