import { sql, type Kysely, type Migration } from 'kysely';

/** When citizens are attended by video, the calls that they booked, and calendar entries of mails. */
export const agenda: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table agenda_hours (
     id bigint generated always as identity primary key, agenda text not null check (agenda in ('support', 'elevation')),
     weekday int not null check (weekday between 1 and 7), opens text not null, closes text not null,
     places int not null check (places between 1 and 100))`,
  `create table agenda_exceptions (
     id bigint generated always as identity primary key, agenda text not null check (agenda in ('support', 'elevation')),
     date text not null, opens text not null, closes text not null, places int not null check (places between 0 and 100),
     note text not null)`,
  `create index agenda_exceptions_date on agenda_exceptions (agenda, date)`,
  `create table video_calls (
     id text primary key, kind text not null check (kind in ('support', 'elevation')), state text not null,
     starts_at timestamptz not null, ends_at timestamptz not null, place int,
     citizen_id text references citizens on delete cascade, country text not null, type text not null, number text not null,
     name text not null, email text not null, phone text not null, subject text not null, message text not null,
     language text not null, created_at timestamptz not null, confirm_by timestamptz, sequence int not null default 0,
     reminders int not null default 0, referred_by text)`,
  // who books takes a place of an hour, of which there is one each: the last one goes to one of them
  `create unique index video_calls_place on video_calls (kind, starts_at, place)`,
  `create unique index video_calls_document on video_calls (kind, country, type, number) where place is not null`,
  `create unique index video_calls_email on video_calls (kind, email) where place is not null and kind = 'support'`,
  `create unique index video_calls_account on video_calls (kind, citizen_id) where place is not null`,
  `create index video_calls_citizen on video_calls (citizen_id, created_at)`,
  `create index video_calls_start on video_calls (starts_at)`,
  `alter table outbox add column calendar text`,
];
