import { sql, type Kysely, type Migration } from 'kysely';

/** Who sits in the room of a call, what the two browsers tell each other, and the pictures that an agent asked for. */
export const videoRoom: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table room_seats (
     call_id text not null references video_calls on delete cascade, seat text not null check (seat in ('citizen', 'agent')),
     client text, seen_at timestamptz not null, sequence int not null default 0, primary key (call_id, seat))`,
  `create table room_signals (
     call_id text not null references video_calls on delete cascade, seat text not null, number int not null,
     content text not null, created_at timestamptz not null, primary key (call_id, seat, number))`,
  `create index room_signals_age on room_signals (created_at)`,
  `create table call_stills (
     id text primary key, call_id text not null references video_calls on delete cascade,
     kind text not null check (kind in ('document', 'face')), asked_by text not null, asked_at timestamptz not null,
     refused_at timestamptz, taken_at timestamptz, width int, height int, sealed text)`,
  `create index call_stills_call on call_stills (call_id)`,
  `create index call_stills_age on call_stills (asked_at)`,
];
