import { sql, type Kysely, type Migration } from 'kysely';
import { serviceTableStatements } from './baseline-service-tables.ts';

export const baselineMigration: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...accountTables, ...serviceTableStatements]) await sql.raw(statement).execute(db);
  },
};

/** Tables of reference data, accounts, credentials, sign-in, mail and the audit log. */
const accountTables = [
  `create table countries (code text primary key, name text not null, position int not null)`,
  `create table document_types (code text primary key, name text not null)`,
  `create table country_documents (
     country text not null references countries, type text not null references document_types,
     position int not null, primary key (country, type))`,
  `create table registry (
     number text primary key, first_name text not null, second_name text not null,
     first_surname text not null, second_surname text not null, birth_date text not null,
     serial text not null)`,
  `create table citizens (
     id text primary key, country text not null, type text not null, number text not null,
     first_name text not null, second_name text not null, first_surname text not null,
     second_surname text not null, email text, email_verified_at timestamptz, phone text,
     origin text not null, level text not null, signature text, permissions jsonb not null,
     features boolean not null default true, proofing_due boolean not null default false, active_at timestamptz, blocked_at timestamptz,
     last_login_at timestamptz, created_at timestamptz not null, closing_at timestamptz, idp text,
     foreign key (country, type) references country_documents (country, type),
     constraint citizens_number_written check ((number <> '') and (number = upper(normalize(number, NFKC)) and (number !~ '[[:space:]]'))))`,
  `create index citizens_closing on citizens (closing_at) where closing_at is not null`,
  `create index citizens_pending on citizens (created_at) where active_at is null`,
  `create index citizens_email on citizens (email)`,
  `create unique index citizens_document on citizens (country, type, number) where idp is null`,
  `create index citizens_foreign on citizens (id) where idp is not null`,
  `create index citizens_mailbox on citizens (lower(email))`,
  `create index citizens_at_desk on citizens (first_surname) where ((permissions -> 'agentes') is not null)`,
  `create table credentials (
     citizen_id text primary key references citizens on delete cascade, password_hash text not null,
     changed_at timestamptz not null, reset_at timestamptz)`,
  `create table link_tokens (
     hash text primary key, purpose text not null, citizen_id text references citizens on delete cascade,
     subject text not null, created_at timestamptz not null, expires_at timestamptz not null,
     used_at timestamptz)`,
  `create index link_tokens_citizen on link_tokens (citizen_id, purpose)`,
  `create index link_tokens_expiry on link_tokens (expires_at)`,
  `create index link_tokens_subject on link_tokens (subject)`,
  `create table broker_sessions (
     id text primary key, hash text not null unique,
     citizen_id text not null references citizens on delete cascade, created_at timestamptz not null,
     expires_at timestamptz not null, seen_at timestamptz not null, revoked_at timestamptz,
     amr text not null, nid int not null, role text not null default 'citizen', oidc_uid text,
     verified_at timestamptz, renewed_by text, idp text, idle_at timestamptz not null, user_agent text not null default '',
     address text not null default '', authenticated_at timestamptz,
     phishing_resistant boolean not null default false)`,
  `create index broker_sessions_citizen on broker_sessions (citizen_id)`,
  `create index broker_sessions_expiry on broker_sessions (expires_at)`,
  `create index broker_sessions_oidc on broker_sessions (oidc_uid)`,
  `create table challenges (
     hash text primary key, browser text not null, step text not null, document text not null,
     citizen_id text, factors text not null, tries int not null, redirect_url text, process_state text,
     agent text, created_at timestamptz not null, expires_at timestamptz not null, used_at timestamptz,
     institutional_email text, user_agent text not null default '', address text not null default '')`,
  `create index challenges_expiry on challenges (expires_at)`,
  `create index challenges_citizen on challenges (citizen_id)`,
  `create index challenges_document on challenges (document)`,
  `create table throttle (
     key text primary key, tries int not null, blocked_until timestamptz not null,
     since timestamptz not null)`,
  `create index throttle_since on throttle (since)`,
  `create table outbox (
     id bigint generated always as identity primary key, recipient text not null, subject text not null,
     text text not null, html text not null, created_at timestamptz not null, due_at timestamptz not null,
     attempts int not null default 0, sent_at timestamptz, reply_to text, refused_at timestamptz,
     refusal text, citizen_id text references citizens on delete cascade, calendar text, sent_subject text,
     sender text)`,
  `create index outbox_waiting on outbox (due_at) where sent_at is null and refused_at is null`,
  `create index outbox_refused on outbox (refused_at) where refused_at is not null`,
  `create index outbox_recipient on outbox (recipient)`,
  `create index outbox_created on outbox (created_at)`,
  `create index outbox_citizen on outbox (citizen_id)`,
  `create index outbox_claim on outbox (id) where sent_at is null and refused_at is null`,
  `create table audit (
     seq bigint generated by default as identity primary key, at timestamptz not null, action text not null,
     citizen_id text, address text not null, request_id text not null, details text not null, actor text,
     user_agent text, origin_salt text, origin_hash text, seal bigint, leaf text, writer text, number bigint, follows int8multirange,
     digest text)`,
  `create index audit_citizen on audit (citizen_id, seq)`,
  `create index audit_seal on audit (seal, seq)`,
  `create index audit_origins on audit (at) where origin_salt is not null`,
  `create index audit_calls on audit (at) where action like '%-call-%'`,
  `create table captcha_replays (hash text primary key, expires_at timestamptz not null)`,
  `create index captcha_replays_expiry on captcha_replays (expires_at)`,
  `create table second_factors (
     id text primary key, citizen_id text not null references citizens on delete cascade, kind text not null,
     secret text, last_step bigint, created_at timestamptz not null, activated_at timestamptz)`,
  `create unique index second_factors_active on second_factors (citizen_id, kind) where activated_at is not null`,
  `create unique index second_factors_pending on second_factors (citizen_id, kind) where activated_at is null`,
  `create index second_factors_citizen on second_factors (citizen_id)`,
  `create table mailed_codes (
     purpose text not null, owner text not null,
     citizen_id text not null references citizens on delete cascade, digest text not null,
     tries int not null, expires_at timestamptz not null, used_at timestamptz, primary key (purpose, owner))`,
  `create index mailed_codes_expiry on mailed_codes (expires_at)`,
  `create index mailed_codes_citizen on mailed_codes (citizen_id)`,
  `create table recovery_codes (
     citizen_id text not null references citizens on delete cascade, digest text not null,
     created_at timestamptz not null, used_at timestamptz, primary key (citizen_id, digest))`,
  `create table email_changes (
     citizen_id text primary key references citizens on delete cascade, email text not null,
     requested_at timestamptz not null, confirm_from timestamptz)`,
  `create index email_changes_requested on email_changes (requested_at)`,
  `create table passkeys (
     id text primary key, citizen_id text not null references citizens on delete cascade,
     credential_id text not null unique, public_key text not null, counter bigint not null,
     transports text not null, device_type text not null, backed_up boolean not null, name text not null,
     created_at timestamptz not null, last_used_at timestamptz, mac text not null)`,
  `create index passkeys_citizen on passkeys (citizen_id)`,
  `create table passkey_handles (
     citizen_id text primary key references citizens on delete cascade, handle text not null unique)`,
  `create table passkey_challenges (
     purpose text not null, owner text not null, digest text not null, expires_at timestamptz not null,
     used_at timestamptz, primary key (purpose, owner))`,
  `create index passkey_challenges_expiry on passkey_challenges (expires_at)`,
  `create table known_devices (
     citizen_id text not null references citizens on delete cascade, hash text not null,
     seen_at timestamptz not null, primary key (citizen_id, hash))`,
  `create index known_devices_seen on known_devices (seen_at)`,
  `create table accepted_keys (
     name text primary key, fingerprint text not null, accepted_at timestamptz not null)`,
  `create table credential_changes (
     id bigint generated always as identity primary key,
     citizen_id text not null references citizens on delete cascade, session_id text, kind text not null,
     at timestamptz not null, before jsonb not null, undone_at timestamptz)`,
  `create index credential_changes_citizen on credential_changes (citizen_id, id)`,
  `create index credential_changes_at on credential_changes (at)`,
  `create table leases (name text primary key, until timestamptz not null)`,
  `create table compatible_migrations (name text primary key)`,
  `create table audit_seals (
     number bigint primary key, sealed_at timestamptz not null, rows int not null, root text not null,
     previous text not null, key text not null, hash text not null, signature text not null)`,
  `create table backups (at timestamptz primary key, sha256 text not null)`,
  `create table audit_shipments (name text primary key, number bigint not null)`,
  `create table spent_recovery_codes (
     citizen_id text not null references citizens on delete cascade, digest text not null,
     primary key (citizen_id, digest))`,
  `create table failed_attempts (
     citizen_id text not null references citizens on delete cascade, authenticator text not null, browser text not null,
     failures int not null, failed_at timestamptz not null, primary key (citizen_id, authenticator, browser))`,
  `create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$`,
  `create function refuse_change_but_seal() returns trigger language plpgsql as $$ begin
      if old.seal is null and new.seal is not null and to_jsonb(new) - 'seal' - 'leaf' = to_jsonb(old) - 'seal' - 'leaf' then return new; end if;
      if old.seal is not null and old.at < now() - interval '30 days' and new.origin_salt is null and new.address = '' and new.user_agent = ''
        and new.origin_hash = encode(sha256(convert_to('[' || to_json(old.origin_salt) || ',' || to_json(old.address) || ',' || to_json(old.user_agent) || ']', 'UTF8')), 'hex')
        and to_jsonb(new) - 'origin_salt' - 'origin_hash' - 'address' - 'user_agent' = to_jsonb(old) - 'origin_salt' - 'origin_hash' - 'address' - 'user_agent'
        then return new; end if;
      raise exception 'the audit log is append-only';
    end $$`,
  `create function note_spent_code() returns trigger language plpgsql as $$ begin
     insert into spent_recovery_codes values (new.citizen_id, new.digest) on conflict do nothing;
     return null;
   end $$`,
  `create trigger audit_no_truncate before truncate on audit for each statement execute function refuse_change()`,
  `create trigger audit_seals_append_only before delete or update on audit_seals for each row execute function refuse_change()`,
  `create trigger audit_seals_no_truncate before truncate on audit_seals for each statement execute function refuse_change()`,
  `create trigger audit_no_change before update on audit for each row execute function refuse_change_but_seal()`,
  `create trigger audit_no_delete before delete on audit for each row execute function refuse_change()`,
  `create trigger recovery_codes_spent after insert or update on recovery_codes for each row when (new.used_at is not null) execute function note_spent_code()`,
];
