import { sql, type Kysely, type Migration } from 'kysely';

/** What citizens were told of their accounts, with their credentials as they were before it. */
export const credentialChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table credential_changes (
     id bigint generated always as identity primary key, citizen_id text not null references citizens on delete cascade,
     session_id text, kind text not null, at timestamptz not null, before jsonb not null, undone_at timestamptz)`,
  `create index credential_changes_citizen on credential_changes (citizen_id, id)`,
  `create index credential_changes_at on credential_changes (at)`,
];
