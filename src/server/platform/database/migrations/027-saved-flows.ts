import { sql, type Kysely, type Migration } from 'kysely';

/** Ways through flows that citizens have begun, and go on with on another day. */
export const savedFlows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table saved_flows (
      citizen_id text not null references citizens (id) on delete cascade, flow text not null, sealed text not null,
      saved_at timestamptz not null, expires_at timestamptz not null, primary key (citizen_id, flow))`.execute(db);
    await sql`create index saved_flows_expires_at on saved_flows (expires_at)`.execute(db);
  },
};
