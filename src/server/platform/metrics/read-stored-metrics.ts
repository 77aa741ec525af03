import { sql } from 'kysely';
import type { DatabaseStore } from '../database/open-store.ts';

export interface StoredMetrics {
  readonly mailsWaiting: number;
  readonly mailsRefused: number;
  /** Time that the oldest due mail has waited, in seconds. */
  readonly mailWaitS: number;
  readonly auditUnsealed: number;
  readonly keys: readonly { readonly use: string; readonly ageS: number }[];
  /** Start of the latest recorded backup, in seconds since 1970. 0 if there is none. */
  readonly backupAtS: number;
  readonly calls: readonly { readonly agenda: string; readonly state: string; readonly count: number }[];
}

/** Reads the metrics that the database stores. Ignores mails that are scheduled for later, such as reminders. */
export async function readStoredMetrics({ db }: DatabaseStore): Promise<StoredMetrics> {
  const [{ rows }, calls, keys] = await Promise.all([
    sql<Omit<StoredMetrics, 'calls' | 'keys'>>`
      select
        (select count(*) from outbox where sent_at is null and refused_at is null and due_at <= now())::integer as "mailsWaiting",
        (select count(*) from outbox where refused_at is not null)::integer as "mailsRefused",
        coalesce((select extract(epoch from now() - min(due_at)) from outbox where sent_at is null and refused_at is null and due_at <= now()), 0)::float8 as "mailWaitS",
        (select count(*) from audit where seal is null)::integer as "auditUnsealed",
        coalesce((select extract(epoch from max(at)) from backups), 0)::float8 as "backupAtS"
    `.execute(db),
    db
      .selectFrom('video_calls')
      .select(({ fn }) => ['kind as agenda', 'state', fn.countAll<number>().as('count')])
      .where('place', 'is not', null)
      .groupBy(['kind', 'state'])
      .execute(),
    db
      .selectFrom('accepted_keys')
      .select(['name as use', sql<number>`extract(epoch from now() - accepted_at)::float8`.as('ageS')])
      .execute(),
  ]);
  const [state] = rows;
  if (!state) throw new Error('A select without a table answers one row.');
  return { ...state, calls, keys };
}
