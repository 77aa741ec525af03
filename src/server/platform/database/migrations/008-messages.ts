import { sql, type Kysely, type Migration } from 'kysely';

/** Contact messages, feedback, and where an answer to a mail goes. */
export const messages: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table contact_messages (
     id bigint generated always as identity primary key, citizen_id text references citizens on delete cascade,
     name text not null, country text not null, type text not null, number text not null, email text not null, phone text not null,
     subject text not null, message text not null, language text not null, created_at timestamptz not null)`,
  `create index contact_messages_email on contact_messages (email, created_at)`,
  `create index contact_messages_created on contact_messages (created_at)`,
  `create table feedback (
     id bigint generated always as identity primary key, page text, useful text, usefulness int, clarity int, boxes text not null,
     comment text not null, email text, language text not null, created_at timestamptz not null)`,
  `create index feedback_created on feedback (created_at)`,
  `alter table outbox add column reply_to text`,
];
