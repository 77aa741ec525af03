import { sql } from 'kysely';
import { verifyAuditLog, type AuditFault } from '../../server/platform/audit/verify-audit.ts';
import type { TableRowCounts } from '../../server/platform/database/backup.ts';
import type { DatabaseStore } from '../../server/platform/database/open-store.ts';
import type { ServerKeys } from '../../server/platform/keys/load-server-keys.ts';
import type { Terminal } from '../command.ts';
import { printLine } from './terminal-text.ts';

export function printAuditFaults(faults: readonly AuditFault[], terminal: Terminal): number {
  for (const fault of faults.slice(0, 50)) {
    const describe = descriptions[fault.kind] as (fault: AuditFault) => string; // cast, because TypeScript does not relate the kind of a fault to the type of its function
    printLine(terminal, describe(fault));
  }
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  printLine(terminal, faults.length === 0 ? 'The audit log is whole.' : `The audit log is broken: ${count}.`);
  return faults.length === 0 ? 0 : 1;
}

const descriptions: { readonly [Kind in AuditFault['kind']]: (fault: Extract<AuditFault, { kind: Kind }>) => string } =
  {
    changed: ({ row }) => `Row ${row} is not as it was when it was sealed.`,
    late: ({ row }) => `Row ${row} was written long after what it tells of.`,
    digest: ({ row }) => `Row ${row} is not as its server wrote it.`,
    missing: ({ writer, first, last }) =>
      `Rows ${first} to ${last} of writer ${writer} are missing: its later rows name them.`,
    copied: ({ row }) => `Row ${row} is a copy of another row.`,
    waited: ({ rows, seal }) =>
      `${rows} rows ${seal === null ? 'wait for a seal' : `under seal ${seal} waited for it`} longer than sealing takes.`,
    lease: ({ until }) =>
      `Sealing is leased until ${until.toISOString()}, longer than any server leases it: somebody moved it.`,
    stray: ({ row }) => `Row ${row} names a seal that there is not.`,
    rows: ({ seal }) => `Under seal ${seal} rows are missing, or others were added.`,
    seal: ({ seal }) => `Seal ${seal} was changed, or is missing.`,
    signature: ({ seal }) => `Seal ${seal} was not signed by a key that is trusted.`,
    end: ({ seal }) => `Seal ${seal} is not the one that was kept: the log was cut off, or made anew.`,
  };

/** Prints the number of rows of each restored table, and verifies the restored audit log. Returns the exit code. */
export async function printRestoreResult(
  db: DatabaseStore['db'],
  keys: ServerKeys['audit'],
  restored: TableRowCounts,
  terminal: Terminal,
): Promise<number> {
  for (const [table, count] of Object.entries(restored)) {
    const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db);
    printLine(terminal, `${table.padEnd(24)} ${count} of the backup, ${rows[0]?.count ?? 0} in the database`);
  }
  return printAuditFaults(await verifyAuditLog(db, { keys }), terminal);
}
