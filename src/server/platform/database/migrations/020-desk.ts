import { sql, type Kysely, type Migration } from 'kysely';

/** Which agent has a call, what was checked in it, and what became of a message. */
export const desk: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table video_calls add column agent_id text references citizens on delete set null,
     add column checklist text not null default '{}', add column reason text not null default ''`,
  // whoever changes a call, every desk hears of it once that is committed
  `create function tell_desk() returns trigger language plpgsql as $$
     begin perform pg_notify('news', 'desk'); return null; end $$`,
  `create trigger video_calls_news after insert or update or delete on video_calls
     for each statement execute function tell_desk()`,
  `create index video_calls_number on video_calls (number)`,
  `create index video_calls_agent on video_calls (agent_id)`,
  `alter table contact_messages add column answered_at timestamptz, add column answered_by text not null default '',
     add column answer text not null default ''`,
  `alter table feedback add column read_at timestamptz, add column read_by text not null default ''`,
];
