import { sql, type Kysely, type Migration } from 'kysely';

/** Statements that wait for their signature, and signed ones. */
export const signature: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table signature_requests (
     nonce text primary key, citizen_id text not null references citizens on delete cascade, statement text not null,
     expires_at timestamptz not null, used_at timestamptz)`,
  `create index signature_requests_expiry on signature_requests (expires_at)`,
  `create table signed_documents (
     citizen_id text primary key references citizens on delete cascade, form text not null, statement text not null, file text not null,
     certificate_serial text not null, certificate_issuer text not null, certificate_fingerprint text not null, signed_at timestamptz not null)`,
];
