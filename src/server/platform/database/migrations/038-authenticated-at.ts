import { sql, type Kysely, type Migration } from 'kysely';

/** When the citizen of a session that came by an identity provider signed in there; null: unknown, or the session came by no provider. */
export const authenticatedAt: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table broker_sessions add column authenticated_at timestamptz`.execute(db);
  },
};
