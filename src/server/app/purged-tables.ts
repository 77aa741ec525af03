import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/database/schema.ts';
import type { ContentValueName } from '../features/content/content-values.ts';
import { tables } from './topics.ts';

export interface PurgedTable {
  readonly table: keyof Database;
  readonly old: RawBuilder<unknown>;
  /** The column with the time that is counted from; an index begins with it. */
  readonly column: string;
  /** The placeholder with which the privacy policy says how long they stay; null: they hold nothing of a person. */
  readonly policy: ContentValueName | null;
}

/** What goes by table; a test holds the privacy policy to it. */
export function purgedTables(now: Date, config: Pick<Config, 'retention'>): readonly PurgedTable[] {
  return Object.entries(tables).flatMap(
    ([table, { kept }]) =>
      typeof kept === 'string'
        ? []
        : [{ table: table as keyof Database, old: kept.old(now, config), column: kept.column, policy: kept.policy }], // a key of the table
  );
}

/**
 * Ends what was under way when a backup was made, in the transaction that restores it: it may have ended, or been revoked, since. A table that the
 * version of the backup did not have is left out.
 */
export function endRestored(now: Date) {
  return async (tx: Transaction<Database>, present: readonly string[]): Promise<void> => {
    for (const [table, { restored }] of Object.entries(tables)) {
      if (restored === undefined || !present.includes(table)) continue;
      await (restored === 'deleted' ? sql`delete from ${sql.table(table)}` : restored(now)).execute(tx);
    }
  };
}
