import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/schema.ts';
import type { ContentValueName } from '../features/content/content-values.ts';
import { tables } from './topics.ts';

export interface PurgedTable {
  readonly table: keyof Database;
  readonly old: RawBuilder<unknown>;
  /** Column with the time from which the period counts. An index begins with it. */
  readonly column: string;
  /** Placeholder of the period in the privacy policy. `null` for rows without personal data. */
  readonly policy: ContentValueName | null;
}

/** Tables that the purge empties. A test compares them with the privacy policy. */
export function purgedTables(now: Date, config: Pick<Config, 'retention'>): readonly PurgedTable[] {
  return Object.entries(tables).flatMap(
    ([table, { kept }]) =>
      typeof kept === 'string'
        ? []
        : [{ table: table as keyof Database, old: kept.old(now, config), column: kept.column, policy: kept.policy }], // a key of `tables`
  );
}

/** Ends unfinished work in the transaction of a restore, because it may have ended since the backup. Skips tables that the backup does not have. */
export function endRestored(now: Date) {
  return async (tx: Transaction<Database>, present: readonly string[]): Promise<void> => {
    for (const [table, { restored }] of Object.entries(tables)) {
      if (restored === undefined || !present.includes(table)) continue;
      await (restored === 'deleted' ? sql`delete from ${sql.table(table)}` : restored(now)).execute(tx);
    }
  };
}
