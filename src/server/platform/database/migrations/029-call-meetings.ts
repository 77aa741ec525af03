import { sql, type Kysely, type Migration } from 'kysely';

/** For how long agent and citizen were in the room of a call together. */
export const callMeetings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  // a replica of the version before fills neither: its seats prove no meeting
  `alter table room_seats add column taken_at timestamptz, add column agent_id text`,
  `create table call_meetings (
     call_id text not null references video_calls on delete cascade, agent_id text not null references citizens on delete cascade,
     met_ms bigint not null, primary key (call_id, agent_id))`,
  `create index call_meetings_agent on call_meetings (agent_id)`,
  `alter table video_calls add column held_s int`,
];
