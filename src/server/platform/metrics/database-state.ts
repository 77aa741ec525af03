import { sql } from 'kysely';
import type { Store } from '../database/open-store.ts';

/** What waits in the database, for all replicas together. */
export interface DatabaseState {
  readonly mailsWaiting: number;
  readonly mailsRefused: number;
  /** Since when the first of them waits, in seconds; 0: none does. */
  readonly mailWaitS: number;
  readonly auditUnsealed: number;
  /** Calls that hold a place, by agenda and state. */
  readonly calls: readonly { readonly agenda: string; readonly state: string; readonly count: number }[];
}

/** Reads it by two statements that indexes answer. Mails that wait for their hour, such as reminders, do not count. */
export async function readDatabaseState({ db }: Store): Promise<DatabaseState> {
  const [{ rows }, calls] = await Promise.all([
    sql<Omit<DatabaseState, 'calls'>>`
      select
        (select count(*) from outbox where sent_at is null and refused_at is null and due_at <= now())::integer as "mailsWaiting",
        (select count(*) from outbox where refused_at is not null)::integer as "mailsRefused",
        coalesce((select extract(epoch from now() - min(due_at)) from outbox where sent_at is null and refused_at is null and due_at <= now()), 0)::float8 as "mailWaitS",
        (select count(*) from audit where seal is null)::integer as "auditUnsealed"
    `.execute(db),
    db
      .selectFrom('video_calls')
      .select(({ fn }) => ['kind as agenda', 'state', fn.countAll<number>().as('count')])
      .where('place', 'is not', null)
      .groupBy(['kind', 'state'])
      .execute(),
  ]);
  const [state] = rows;
  if (!state) throw new Error('A select without a table answers one row.');
  return { ...state, calls };
}
