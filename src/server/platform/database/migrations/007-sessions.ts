import { sql, type Kysely, type Migration } from 'kysely';

/** Where sessions and sign-ins come from, when an unseen session ends, devices that are known, and accounts that are to be closed. */
export const sessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table broker_sessions add column idle_at timestamptz,
     add column user_agent text not null default '', add column address text not null default ''`,
  `update broker_sessions set idle_at = expires_at`,
  `alter table broker_sessions alter column idle_at set not null`,
  `alter table challenges add column user_agent text not null default '', add column address text not null default ''`,
  `create table known_devices (
     citizen_id text not null references citizens on delete cascade, hash text not null, seen_at timestamptz not null,
     primary key (citizen_id, hash))`,
  `create index known_devices_seen on known_devices (seen_at)`,
  `alter table citizens add column closing_at timestamptz`,
  `create index citizens_closing on citizens (closing_at) where closing_at is not null`,
];
