import { sql, type Kysely, type Migration } from 'kysely';

/** The institutional mailbox of each agent, and whether the sign-in of a session resisted phishing. */
export const agentSignIns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table agent_mailboxes (
     citizen_id text primary key references citizens on delete cascade, email text not null unique, bound_at timestamptz not null)`,
  `alter table broker_sessions add column phishing_resistant boolean not null default false`,
];
