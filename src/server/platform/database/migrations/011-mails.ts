import { sql, type Kysely, type Migration } from 'kysely';

/** Mails that a mail server refused for good. */
export const mails: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `alter table outbox add column refused_at timestamptz, add column refusal text`,
  `create index outbox_waiting on outbox (due_at) where sent_at is null and refused_at is null`,
  `create index outbox_refused on outbox (refused_at) where refused_at is not null`,
  `drop index outbox_due`,
];
