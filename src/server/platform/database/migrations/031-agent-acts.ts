import { sql, type Kysely, type Migration } from 'kysely';

/** Which agent raised the level of an account or set its address, or wants to; and from when on an address that an agent set can be confirmed. */
export const agentActs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table agent_acts (
     id bigint generated always as identity primary key, citizen_id text not null references citizens on delete cascade,
     act text not null check (act in ('level', 'email')), detail text not null, agent text not null, name text not null,
     at timestamptz not null, done_at timestamptz)`,
  `create index agent_acts_citizen on agent_acts (citizen_id, act)`,
  `alter table email_changes add column confirm_from timestamptz`,
];
