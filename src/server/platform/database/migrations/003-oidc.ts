import { sql, type Kysely, type Migration } from 'kysely';

/** Registered applications, consents, the records of the OIDC provider, and its session beside the broker's. */
export const oidc: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table clients (
     id text primary key, registration text not null, secret text, created_at timestamptz not null)`,
  `create table consents (
     id text primary key, citizen_id text not null references citizens on delete cascade, client_id text not null,
     scopes text not null, texts_version int not null, given_at timestamptz not null,
     constraint consents_client unique (citizen_id, client_id))`,
  `create table oidc_records (
     model text not null, id text not null, payload text not null, grant_id text, uid text, account_id text, client_id text,
     expires_at timestamptz not null, consumed_at timestamptz, primary key (model, id))`,
  `create index oidc_records_grant on oidc_records (grant_id)`,
  `create index oidc_records_uid on oidc_records (uid)`,
  `create index oidc_records_account on oidc_records (account_id, client_id)`,
  `create index oidc_records_expiry on oidc_records (expires_at)`,
  `alter table broker_sessions add column oidc_uid text`,
  `create index broker_sessions_oidc on broker_sessions (oidc_uid)`,
];
