import { sql, type RawBuilder } from 'kysely';
import { addSeconds } from '../base/clock.ts';
import { secondsPerDay } from '../base/fixed-periods.ts';
import type { Config } from '../config/config.ts';
import type { RetentionSetting } from '../config/retention-settings.ts';

export type RetentionConfig = Pick<Config, 'retention'>;

export interface PurgeRule {
  /** SQL condition for the rows to delete. */
  readonly old: (now: Date, config: RetentionConfig) => RawBuilder<unknown>;
  /** Placeholder of the retention period in the privacy policy. `null` for rows without data of citizens. */
  readonly policy: string | null;
  /** Column with the start of the retention period. */
  readonly column: string;
  /** Retention period in seconds, or the name of its setting. */
  readonly period: number | RetentionSetting;
}

/** A table as `portal data` describes it to data protection officers. The texts are in plain English, without a final full stop. */
export interface TableDescription {
  /** The table's personal data. `null` if it has none. */
  readonly data: string | null;
  readonly why: string;
  /** Roles that can read the table through pages, operations and commands. */
  readonly readers: readonly ('citizen' | 'agent' | 'operator' | 'application')[];
  /** Encrypted columns, each with the vault's purpose for a row. */
  readonly encrypted?: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => string>>;
  /** Columns of type jsonb that contain copies of encrypted values, by the SQL/JSON path of the copies. */
  readonly copies?: Readonly<Record<string, string>>;
  /** Columns that contain only digests of values. */
  readonly hashed?: readonly string[];
  /**
   * Statement to run after a restore, for rows whose pending work may have ended since the backup. `deleted` deletes all rows. The statement may use
   * only columns that existed in all versions.
   */
  readonly restored?: 'deleted' | ((now: Date) => RawBuilder<unknown>);
  /** Rule by which the purge deletes rows. If the purge deletes none, a description of how long they are kept. */
  readonly retention: PurgeRule | string;
}

/** Creates the rule that deletes each row a period after the time in a column. The period is in seconds, or the name of a setting. */
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

export function createExpiryPurgeRule<const Policy extends string | null>(policy: Policy) {
  return createPurgeRule('expires_at', 0, policy);
}

export function resolveRetentionPeriodS(period: number | RetentionSetting, { retention }: RetentionConfig): number {
  if (typeof period === 'number') return period;
  return retention[period] * (period.endsWith('_YEARS') ? 365 : 1) * secondsPerDay;
}
