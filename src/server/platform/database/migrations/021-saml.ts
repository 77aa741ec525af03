import { sql, type Kysely, type Migration } from 'kysely';

/** Service providers of SAML, their requests that wait for a citizen, and to which of them a session signed in. */
export const saml: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table saml_providers (
      id text primary key, entity_id text not null unique, registration text not null, metadata text not null, created_at timestamptz not null)`.execute(
      db,
    );
    await sql`create table saml_requests (
      hash text primary key, browser text not null, provider text not null, message_id text not null, request text not null,
      relay_state text, session_id text, refused boolean not null, answered_at timestamptz, created_at timestamptz not null, expires_at timestamptz not null,
      unique (provider, message_id))`.execute(db);
    await sql`create index saml_requests_expires on saml_requests (expires_at)`.execute(db);
    await sql`create table saml_participants (
      session_id text not null references broker_sessions (id) on delete cascade, provider text not null, name_id text not null,
      name_id_format text not null, session_index text not null, signed_in_at timestamptz not null, primary key (session_id, provider))`.execute(
      db,
    );
    await sql`create table saml_logouts (
      hash text primary key, browser text not null, chain text not null, expires_at timestamptz not null)`.execute(db);
  },
};
