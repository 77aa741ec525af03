import { sql, type Kysely, type Migration } from 'kysely';

/** What keeps a large database quick: indexes of what is searched, deleted and followed, and who of the replicas does the upkeep. */
export const upkeep: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create index outbox_recipient on outbox (recipient)`,
  `create index outbox_created on outbox (created_at)`,
  `create index citizens_email on citizens (email)`,
  `create index link_tokens_subject on link_tokens (subject)`,
  `create index challenges_document on challenges (document)`,
  `create index mailed_codes_citizen on mailed_codes (citizen_id)`,
  `create index signature_requests_citizen on signature_requests (citizen_id)`,
  `create index contact_messages_citizen on contact_messages (citizen_id)`,
  `create table leases (name text primary key, until timestamptz not null)`,
  `create table compatible_migrations (name text primary key)`,
];
