/** Tables of applications, identity providers, video calls, messages, the desk, and saved progress. */
export const serviceTableStatements = [
  `create table clients (
     id text primary key, registration text not null, secret text, created_at timestamptz not null)`,
  `create table consents (
     id text primary key, citizen_id text not null references citizens on delete cascade,
     client_id text not null, scopes text not null, texts_version int not null,
     given_at timestamptz not null, constraint consents_client unique (citizen_id, client_id))`,
  `create table oidc_records (
     model text not null, id text not null, payload text not null, grant_id text, uid text, account_id text,
     client_id text, expires_at timestamptz not null, consumed_at timestamptz, primary key (model, id))`,
  `create index oidc_records_grant on oidc_records (grant_id)`,
  `create index oidc_records_uid on oidc_records (uid)`,
  `create index oidc_records_account on oidc_records (account_id, client_id)`,
  `create index oidc_records_expiry on oidc_records (expires_at)`,
  `create table signature_requests (
     nonce text primary key, citizen_id text not null references citizens on delete cascade,
     statement text not null, expires_at timestamptz not null, used_at timestamptz)`,
  `create index signature_requests_expiry on signature_requests (expires_at)`,
  `create index signature_requests_citizen on signature_requests (citizen_id)`,
  `create table signed_documents (
     citizen_id text primary key references citizens on delete cascade, form text not null,
     statement text not null, file text not null, certificate_serial text not null,
     certificate_issuer text not null, certificate_fingerprint text not null, signed_at timestamptz not null)`,
  `create table contact_messages (
     id bigint generated always as identity primary key,
     citizen_id text references citizens on delete cascade, name text not null, country text not null,
     type text not null, number text not null, email text not null, phone text not null,
     subject text not null, message text not null, language text not null, created_at timestamptz not null,
     answered_at timestamptz, answered_by text not null default '', answer text not null default '',
     extra text not null default '[]', due text)`,
  `create index contact_messages_email on contact_messages (email, created_at)`,
  `create index contact_messages_created on contact_messages (created_at)`,
  `create index contact_messages_citizen on contact_messages (citizen_id)`,
  `create index contact_messages_mailbox on contact_messages ((((replace(regexp_replace(split_part(lower(email), '@', 1), '(.)[+].*$', '\\1'), '.', '') || '@') || split_part(lower(email), '@', 2))), created_at)`,
  `create index contact_messages_waiting on contact_messages (id) where answered_at is null`,
  `create table feedback (
     id bigint generated always as identity primary key, page text, useful text, usefulness int, clarity int,
     boxes text not null, comment text not null, email text, language text not null,
     created_at timestamptz not null, read_at timestamptz, read_by text not null default '')`,
  `create index feedback_created on feedback (created_at)`,
  `create index feedback_unread_first on feedback (((read_at is not null)), id desc)`,
  `create table logos (
     source text primary key, hash text not null, type text not null, content text not null,
     fetched_at timestamptz not null)`,
  `create index logos_hash on logos (hash)`,
  `create table agenda_hours (
     id bigint generated always as identity primary key, agenda text not null, weekday int not null,
     opens text not null, closes text not null, places int not null,
     constraint agenda_hours_agenda_check check (agenda in ('support', 'elevation')),
     constraint agenda_hours_weekday_check check ((weekday >= 1) and (weekday <= 7)),
     constraint agenda_hours_places_check check ((places >= 1) and (places <= 100)))`,
  `create table agenda_exceptions (
     id bigint generated always as identity primary key, agenda text not null, date text not null,
     opens text not null, closes text not null, places int not null, note text not null,
     constraint agenda_exceptions_agenda_check check (agenda in ('support', 'elevation')),
     constraint agenda_exceptions_places_check check ((places >= 0) and (places <= 100)))`,
  `create index agenda_exceptions_date on agenda_exceptions (agenda, date)`,
  `create table video_calls (
     id text primary key, kind text not null, state text not null, starts_at timestamptz not null,
     ends_at timestamptz not null, place int, citizen_id text references citizens on delete cascade,
     country text not null, type text not null, number text not null, name text not null,
     email text not null, phone text not null, subject text not null, message text not null,
     language text not null, created_at timestamptz not null, confirm_by timestamptz,
     sequence int not null default 0, reminders int not null default 0, referred_by text,
     agent_id text references citizens on delete set null, checklist text not null default '{}',
     reason text not null default '', held_s int, extra text not null default '[]', mailbox text,
     network text,
     constraint video_calls_kind_check check (kind in ('support', 'elevation')))`,
  `create unique index video_calls_place on video_calls (kind, starts_at, place)`,
  `create unique index video_calls_account on video_calls (kind, citizen_id) where place is not null`,
  `create index video_calls_citizen on video_calls (citizen_id, created_at)`,
  `create index video_calls_start on video_calls (starts_at)`,
  `create index video_calls_number on video_calls (number)`,
  `create index video_calls_agent on video_calls (agent_id)`,
  `create unique index video_calls_document on video_calls (kind, country, type, number) where ((place is not null) and ((kind = 'elevation') or (citizen_id is null)))`,
  `create unique index video_calls_email on video_calls (kind, email) where place is not null and kind = 'support' and citizen_id is null`,
  `create unique index video_calls_mailbox on video_calls (kind, mailbox) where place is not null and kind = 'support' and citizen_id is null`,
  `create index video_calls_end on video_calls (ends_at)`,
  `create index video_calls_network on video_calls (network) where network is not null`,
  `create table room_seats (
     call_id text not null references video_calls on delete cascade, seat text not null, client text,
     seen_at timestamptz not null, sequence int not null default 0, taken_at timestamptz, agent_id text,
     constraint room_seats_seat_check check (seat in ('citizen', 'agent')),
     primary key (call_id, seat))`,
  `create table room_signals (
     call_id text not null references video_calls on delete cascade, seat text not null, number int not null,
     content text not null, created_at timestamptz not null, primary key (call_id, seat, number))`,
  `create index room_signals_age on room_signals (created_at)`,
  `create table call_stills (
     id text primary key, call_id text not null references video_calls on delete cascade, kind text not null,
     asked_by text not null, asked_at timestamptz not null, refused_at timestamptz, taken_at timestamptz,
     width int, height int, sealed text,
     constraint call_stills_kind_check check (kind in ('document', 'face')))`,
  `create index call_stills_call on call_stills (call_id)`,
  `create index call_stills_age on call_stills (asked_at)`,
  `create table pairwise_sectors (use text not null, sector text not null, key_version text not null, primary key (use, sector))`,
  `create table saml_providers (
     id text primary key, entity_id text not null unique, registration text not null, metadata text not null,
     created_at timestamptz not null, refresh_at timestamptz, refresh_error text)`,
  `create table saml_requests (
     hash text primary key, browser text not null, provider text not null, message_id text not null,
     request text not null, relay_state text, session_id text, refused boolean not null,
     answered_at timestamptz, created_at timestamptz not null, expires_at timestamptz not null,
     unique (provider, message_id))`,
  `create index saml_requests_expires on saml_requests (expires_at)`,
  `create table saml_participants (
     session_id text not null references broker_sessions on delete cascade, provider text not null,
     name_id text not null, name_id_format text not null, session_index text not null,
     signed_in_at timestamptz not null, primary key (session_id, provider))`,
  `create table saml_logouts (
     hash text primary key, browser text not null, chain text not null, expires_at timestamptz not null)`,
  `create index saml_logouts_expiry on saml_logouts (expires_at)`,
  `create table provider_identities (
     issuer text not null, subject text not null, provider text not null,
     citizen_id text not null references citizens on delete cascade, linked_at timestamptz not null,
     used_at timestamptz not null, primary key (provider, issuer, subject))`,
  `create index provider_identities_citizen on provider_identities (citizen_id)`,
  `create table provider_sign_ins (
     hash text primary key, browser text not null, provider text not null, kept text not null,
     process_state text, redirect_url text, answered_at timestamptz, person text, linked_at timestamptz,
     created_at timestamptz not null, expires_at timestamptz not null)`,
  `create index provider_sign_ins_browser on provider_sign_ins (browser)`,
  `create index provider_sign_ins_expires on provider_sign_ins (expires_at)`,
  `create table card_tickets (
     hash text primary key, challenge text not null, number text, expires_at timestamptz not null,
     taken_at timestamptz, used_at timestamptz)`,
  `create index card_tickets_challenge on card_tickets (challenge)`,
  `create index card_tickets_expiry on card_tickets (expires_at)`,
  `create table wallet_requests (
     hash text primary key, response text not null unique, challenge text not null, here boolean not null,
     nonce text not null, key text not null, expires_at timestamptz not null, fetched_at timestamptz,
     answered_at timestamptz, number text, level int, used_at timestamptz)`,
  `create index wallet_requests_challenge on wallet_requests (challenge)`,
  `create index wallet_requests_expiry on wallet_requests (expires_at)`,
  `create table provider_refusals (
     issuer text not null, subject text not null,
     citizen_id text not null references citizens on delete cascade, at timestamptz not null,
     provider text not null, primary key (provider, issuer, subject, citizen_id))`,
  `create index provider_refusals_citizen on provider_refusals (citizen_id)`,
  `create table saved_flows (
     citizen_id text not null references citizens on delete cascade, flow text not null,
     sealed text not null, saved_at timestamptz not null, expires_at timestamptz not null,
     primary key (citizen_id, flow))`,
  `create index saved_flows_expires_at on saved_flows (expires_at)`,
  `create table card_checks (
     session_id text primary key references broker_sessions on delete cascade,
     passed_at timestamptz not null)`,
  `create table call_meetings (
     call_id text not null references video_calls on delete cascade,
     agent_id text not null references citizens on delete cascade, met_ms bigint not null,
     primary key (call_id, agent_id))`,
  `create index call_meetings_agent on call_meetings (agent_id)`,
  `create table agent_acts (
     id bigint generated always as identity primary key,
     citizen_id text not null references citizens on delete cascade, act text not null, detail text not null,
     agent text not null, name text not null, at timestamptz not null, done_at timestamptz,
     constraint agent_acts_act_check check (act in ('level', 'email', 'factors', 'closure', 'proofing')))`,
  `create index agent_acts_citizen on agent_acts (citizen_id, act)`,
  `create table session_ends (
     session_id text primary key, payload text, told text not null default '[]',
     attempts int not null default 0, due_at timestamptz not null default now(),
     created_at timestamptz not null default now())`,
  `create index session_ends_due on session_ends (due_at)`,
  `create index session_ends_created on session_ends (created_at)`,
  `create table definition_modules (
     url text primary key, source text not null, used_at timestamptz not null, digest text)`,
  `create table agent_mailboxes (
     citizen_id text primary key references citizens on delete cascade, email text not null unique,
     bound_at timestamptz not null)`,
  `create function tell_desk() returns trigger language plpgsql as $$
     begin perform pg_notify('news', 'desk'); return null; end $$`,
  `create trigger video_calls_news after insert or delete or update on video_calls for each statement execute function tell_desk()`,
];
