import { sql, type Kysely, type Migration } from 'kysely';

/** Requests to digital wallets, and whom they told of. */
export const wallet: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table wallet_requests (
      hash text primary key, response text not null unique, challenge text not null, here boolean not null, nonce text not null, key text not null,
      expires_at timestamptz not null, fetched_at timestamptz, answered_at timestamptz, number text, level int, used_at timestamptz)`.execute(
      db,
    );
    await sql`create index wallet_requests_challenge on wallet_requests (challenge)`.execute(db);
  },
};
