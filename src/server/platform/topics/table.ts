import { sql, type RawBuilder } from 'kysely';
import { after } from '../base/clock.ts';
import { dayS } from '../base/periods.ts';
import type { Config } from '../config/config.ts';
import type { RetentionSetting } from '../config/retention-settings.ts';

/** What of the configuration decides how long rows stay. */
export type Settings = Pick<Config, 'retention'>;

/** How the purge empties a table by time. */
export interface Purged {
  /** Which of its rows go. */
  readonly old: (now: Date, config: Settings) => RawBuilder<unknown>;
  /** The placeholder with which the privacy policy says how long they stay; null: they hold nothing of a citizen. */
  readonly policy: string | null;
  /** The column with the time that is counted from. */
  readonly column: string;
  /** For how long after that time: seconds, or the setting that says it. */
  readonly period: number | RetentionSetting;
}

/** Who can read a table by the portal's pages, operations and commands. */
export type Reader = 'citizen' | 'agent' | 'operator' | 'application';

type Row = Readonly<Record<string, unknown>>;

/** A table, as those read of it who answer for personal data (`portal data`): in plain English, without a dot at the end. */
export interface StoredTable {
  /** What of persons it holds; null: nothing. */
  readonly data: string | null;
  readonly why: string;
  readonly readers: readonly Reader[];
  /** Columns that the vault encrypted, each with the purpose for which it did in a row. */
  readonly encrypted?: Readonly<Record<string, (row: Row) => string>>;
  /** Columns of type jsonb that hold copies of encrypted ones, by the SQL/JSON path of these. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Columns that hold a digest alone. */
  readonly hashed?: readonly string[];
  /**
   * What ends its rows when a backup is restored, so that nothing lives again that ended after the backup; absent: they stay. Names only columns that
   * the table has always had.
   */
  readonly restored?: 'deleted' | ((now: Date) => RawBuilder<unknown>);
  /** How long its rows stay: by the purge, or until what is said here. */
  readonly kept: Purged | string;
}

/** Rows go that long after the time in a column: after seconds, or what a setting says. */
export function since<const Policy extends string | null>(
  column: string,
  period: number | RetentionSetting,
  policy: Policy,
) {
  return {
    old: (now: Date, config: Settings) => sql`${sql.ref(column)} < ${after(now, -resolvePeriod(period, config))}`,
    policy,
    column,
    period,
  };
}

/** Rows go at their own end. */
export function ended<const Policy extends string | null>(policy: Policy) {
  return since('expires_at', 0, policy);
}

export function resolvePeriod(period: number | RetentionSetting, { retention }: Settings): number {
  if (typeof period === 'number') return period;
  return retention[period] * (period.endsWith('_YEARS') ? 365 : 1) * dayS;
}
