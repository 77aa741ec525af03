import { sql, type Kysely, type Migration } from 'kysely';

/** From which network a support call was reserved, until it is confirmed: one network holds only a few at a time. */
export const callNetwork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table video_calls add column network text`.execute(db);
    await sql`create index video_calls_network on video_calls (network) where network is not null`.execute(db);
  },
};
