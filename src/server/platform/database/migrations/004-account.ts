import { sql, type Kysely, type Migration } from 'kysely';

/** Proof of identity inside a session, the identity provider that a session came by, and changes of address that wait for their confirmation. */
export const account: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table broker_sessions add column verified_at timestamptz, add column idp text`,
  `create table email_changes (
     citizen_id text primary key references citizens on delete cascade, email text not null, requested_at timestamptz not null)`,
];
