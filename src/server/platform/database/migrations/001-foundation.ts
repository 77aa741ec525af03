import { sql, type Kysely, type Migration } from 'kysely';

/** The first tables: reference data, accounts, credentials, sign-in, mail and the audit log. */
export const foundation: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table countries (code text primary key, name text not null, position int not null)`,
  `create table document_types (code text primary key, name text not null)`,
  `create table country_documents (
     country text not null references countries, type text not null references document_types, position int not null,
     primary key (country, type))`,
  `create table registry (
     number text primary key, first_name text not null, second_name text not null, first_surname text not null,
     second_surname text not null, birth_date text not null, serial text not null)`,
  `create table citizens (
     id text primary key, country text not null, type text not null, number text not null,
     first_name text not null, second_name text not null, first_surname text not null, second_surname text not null,
     email text, email_verified_at timestamptz, phone text, origin text not null, level text not null, signature text,
     permissions jsonb not null, features boolean not null default true,
     active_at timestamptz, blocked_at timestamptz, last_login_at timestamptz, created_at timestamptz not null,
     constraint citizens_document unique (country, type, number),
     foreign key (country, type) references country_documents)`,
  `create table credentials (
     citizen_id text primary key references citizens on delete cascade, password_hash text not null, changed_at timestamptz not null)`,
  `create table link_tokens (
     hash text primary key, purpose text not null, citizen_id text references citizens on delete cascade, subject text not null,
     created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz)`,
  `create index link_tokens_citizen on link_tokens (citizen_id, purpose)`,
  `create index link_tokens_expiry on link_tokens (expires_at)`,
  `create table broker_sessions (
     id text primary key, hash text not null unique, citizen_id text not null references citizens on delete cascade,
     created_at timestamptz not null, expires_at timestamptz not null, seen_at timestamptz not null, revoked_at timestamptz,
     amr text not null, nid int not null)`,
  `create index broker_sessions_citizen on broker_sessions (citizen_id)`,
  `create index broker_sessions_expiry on broker_sessions (expires_at)`,
  `create table challenges (
     hash text primary key, browser text not null, step text not null, document text not null,
     citizen_id text references citizens on delete cascade, factors text not null, tries int not null,
     redirect_url text, process_state text, agent text,
     created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz)`,
  `create index challenges_expiry on challenges (expires_at)`,
  `create table throttle (
     key text primary key, tries int not null, blocked_until timestamptz not null, since timestamptz not null)`,
  `create index throttle_since on throttle (since)`,
  `create table outbox (
     id bigint generated always as identity primary key, recipient text not null, subject text not null, text text not null,
     html text not null, created_at timestamptz not null, due_at timestamptz not null, attempts int not null default 0,
     sent_at timestamptz)`,
  `create index outbox_due on outbox (due_at) where sent_at is null`,
  `create table audit (
     seq bigint primary key, at timestamptz not null, action text not null, citizen_id text, address text not null,
     request_id text not null, details text not null, previous text not null, hash text not null unique)`,
  `create index audit_citizen on audit (citizen_id, seq)`,
  `create function refuse_change() returns trigger language plpgsql as
     $$ begin raise exception 'the audit log is append-only'; end $$`,
  `create trigger audit_append_only before update or delete on audit for each row execute function refuse_change()`,
  `create trigger audit_no_truncate before truncate on audit for each statement execute function refuse_change()`,
  `create table captcha_replays (hash text primary key, expires_at timestamptz not null)`,
  `create index captcha_replays_expiry on captcha_replays (expires_at)`,
];
