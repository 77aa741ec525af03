import { sql, type Kysely, type Migration } from 'kysely';

/** Identities of providers upstream, sign-ins that wait for one, and records of people who have no account of their own. */
export const providers: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // whoever comes from abroad may have an account of one's own, under the same document
  `alter table citizens add column idp text`,
  `alter table citizens drop constraint citizens_document`,
  `create unique index citizens_document on citizens (country, type, number) where idp is null`,
  `create table provider_identities (
     issuer text not null, subject text not null, provider text not null,
     citizen_id text not null references citizens on delete cascade, linked_at timestamptz not null, used_at timestamptz not null,
     primary key (issuer, subject))`,
  `create index provider_identities_citizen on provider_identities (citizen_id)`,
  `create table provider_sign_ins (
     hash text primary key, browser text not null, provider text not null, kept text not null,
     process_state text, redirect_url text, answered_at timestamptz, person text, linked_at timestamptz,
     created_at timestamptz not null, expires_at timestamptz not null)`,
  `create index provider_sign_ins_browser on provider_sign_ins (browser)`,
  `create index provider_sign_ins_expires on provider_sign_ins (expires_at)`,
];
