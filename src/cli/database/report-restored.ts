import { sql } from 'kysely';
import { verifyAudit } from '../../server/platform/audit/verify-audit.ts';
import type { Config } from '../../server/platform/config/config.ts';
import type { RowCounts } from '../../server/platform/database/backup.ts';
import type { Store } from '../../server/platform/database/open-store.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import type { Terminal } from '../command.ts';
import { print, reportFaults } from './audit-report.ts';

/** Reports the restored rows, and whether the audit log is intact. Returns the exit code. Throws a StartError if the audit keys are missing. */
export async function reportRestored({
  db,
  keys,
  restored,
  terminal,
}: {
  readonly db: Store['db'];
  readonly keys: Config['keys'];
  readonly restored: RowCounts;
  readonly terminal: Terminal;
}): Promise<number> {
  for (const [table, count] of Object.entries(restored)) {
    const {
      rows: [present],
    } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db);
    print(terminal, `${table.padEnd(24)} ${count} of the backup, ${present?.count ?? 0} in the database`);
  }
  return reportFaults(await verifyAudit(db, { keys: await readAuditKeys(keys) }), terminal);
}
