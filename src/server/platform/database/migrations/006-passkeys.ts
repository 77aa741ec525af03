import { sql, type Kysely, type Migration } from 'kysely';

/** Passkeys (WebAuthn credentials), the handle that authenticators know a citizen by, and the challenges of running ceremonies. */
export const passkeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table passkeys (
     id text primary key, citizen_id text not null references citizens on delete cascade, credential_id text not null unique,
     public_key text not null, counter bigint not null, transports text not null, device_type text not null, backed_up boolean not null,
     name text not null, created_at timestamptz not null, last_used_at timestamptz)`,
  `create index passkeys_citizen on passkeys (citizen_id)`,
  `create table passkey_handles (citizen_id text primary key references citizens on delete cascade, handle text not null unique)`,
  `create table passkey_challenges (
     purpose text not null, owner text not null, digest text not null, expires_at timestamptz not null, used_at timestamptz,
     primary key (purpose, owner))`,
  `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,
];
