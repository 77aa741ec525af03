import { sql, type Transaction } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { tables } from './purged-tables.ts';

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
