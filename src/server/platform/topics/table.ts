import { sql, type RawBuilder } from 'kysely';
import { after } from '../base/clock.ts';
import type { Config } from '../config/config.ts';

/** How the purge empties a table by time. */
export interface Purged {
  /** Which of its rows go. */
  readonly old: (now: Date, config: Pick<Config, 'room'>) => RawBuilder<unknown>;
  /** The placeholder with which the privacy policy says how long they stay; null: they hold nothing of a person. */
  readonly policy: string | null;
}

/** Null: the purge leaves the table alone. Its rows go with the record that they belong to, or stay. */
export type Retention = Purged | null;

/** Rows go that many seconds after the time in a column. */
export function since<const Policy extends string | null>(column: string, seconds: number, policy: Policy) {
  return { old: (now: Date) => sql`${sql.ref(column)} < ${after(now, -seconds)}`, policy };
}

/** Rows go at their own end. */
export function ended<const Policy extends string | null>(policy: Policy) {
  return since('expires_at', 0, policy);
}
