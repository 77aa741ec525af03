import { sql, type RawBuilder } from 'kysely';
import { addSeconds } from '../base/clock.ts';
import { secondsPerDay } from '../base/periods.ts';
import type { Config } from '../config/config.ts';
import type { RetentionSetting } from '../config/retention-settings.ts';

export type RetentionConfig = Pick<Config, 'retention'>;

/** Rule by which the purge deletes rows of a table. */
export interface PurgeRule {
  /** Returns the SQL condition for the rows to delete. */
  readonly old: (now: Date, config: RetentionConfig) => RawBuilder<unknown>;
  /** Placeholder of the retention period in the privacy policy. `null` for rows without data of citizens. */
  readonly policy: string | null;
  /** Column with the start of the retention period. */
  readonly column: string;
  /** Retention period: in seconds, or the name of its setting. */
  readonly period: number | RetentionSetting;
}

/** Roles that can read a table through the portal's pages, operations and commands. */
export type TableReader = 'citizen' | 'agent' | 'operator' | 'application';

type Row = Readonly<Record<string, unknown>>;

/** A table as `portal data` describes it to data protection officers. The texts are in plain English, without a final full stop. */
export interface TableDescription {
  /** The table's personal data. `null` if it has none. */
  readonly data: string | null;
  readonly why: string;
  readonly readers: readonly TableReader[];
  /** Encrypted columns. Each has a function that returns the vault's purpose for a row. */
  readonly encrypted?: Readonly<Record<string, (row: Row) => string>>;
  /** Columns of type jsonb that contain copies of encrypted values, by the SQL/JSON path of the copies. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Columns that contain only digests of values. */
  readonly hashed?: readonly string[];
  /**
   * Rows to delete after a restore, because what they wait for may have ended since the backup: all rows, or a function that returns the statement to
   * run. If absent, the rows stay. The statement may use only columns that existed in all versions.
   */
  readonly restored?: 'deleted' | ((now: Date) => RawBuilder<unknown>);
  /** Retention of the rows: a rule for the purge, or a description if the purge does not delete them. */
  readonly retention: PurgeRule | string;
}

/**
 * Creates a rule that deletes each row a period after the time in a column. The period is in seconds, or the name of a
 * setting.
 */
export function createPurgeRule<const Policy extends string | null>(
  column: string,
  period: number | RetentionSetting,
  policy: Policy,
) {
  return {
    old: (now: Date, config: RetentionConfig) =>
      sql`${sql.ref(column)} < ${addSeconds(now, -resolveRetentionPeriodS(period, config))}`,
    policy,
    column,
    period,
  };
}

/** Creates a rule that deletes each row at its `expires_at`. */
export function createExpiryPurgeRule<const Policy extends string | null>(policy: Policy) {
  return createPurgeRule('expires_at', 0, policy);
}

export function resolveRetentionPeriodS(period: number | RetentionSetting, { retention }: RetentionConfig): number {
  if (typeof period === 'number') return period;
  return retention[period] * (period.endsWith('_YEARS') ? 365 : 1) * secondsPerDay;
}
