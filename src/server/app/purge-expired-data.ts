import { sql, type RawBuilder, type Transaction } from 'kysely';
import { addSeconds } from '../platform/base/clock.ts';
import { formatDocumentId } from '../platform/base/identity-document.ts';
import { eraseAuditClientData } from '../platform/audit/seal-audit.ts';
import { createInternalChangeOrigin } from '../platform/base/change-origin.ts';
import type { Config } from '../platform/config/config.ts';
import type { DatabaseStore } from '../platform/database/open-store.ts';
import type { DatabaseCommandRunner } from '../trust/notices/database-commands.ts';
import { computePendingRegistrationLifeS } from '../features/registration/activation-mail.ts';
import { runWithLease } from '../platform/jobs/lease.ts';
import { resolveRetentionPeriodS } from '../platform/modules/table-descriptions.ts';
import type { Database } from '../platform/database/schema.ts';
import type { ContentPlaceholderName } from '../features/content/content-placeholder-values.ts';
import { databaseTableDescriptions } from './server-modules.ts';

/** Rows per DELETE statement. Few, so that each statement holds its locks only briefly. */
const rowsPerDelete = 1_000;

interface Dependencies {
  readonly store: DatabaseStore;
  readonly commands: DatabaseCommandRunner;
  readonly config: Pick<Config, 'retention' | 'activationLifeH'>;
}

/**
 * Deletes expired rows and accounts. Returns the number of deleted rows by table, without tables that had none. Returns `null` if another replica is
 * purging.
 */
export async function purgeExpiredData(
  { store, commands, config }: Dependencies,
  now: Date,
): Promise<Readonly<Record<string, number>> | null> {
  const deleted: Record<string, number> = {};
  const count = (table: string, rows: number) => void (deleted[table] = (deleted[table] ?? 0) + rows);
  const hasPurged = await runWithLease(store, 'purge', async (renew) => {
    for (const purged of listPurgedTables(now, config))
      for (let rows = rowsPerDelete; rows === rowsPerDelete;) {
        rows = await deleteBatch(store, purged);
        if (rows > 0) count(purged.table, rows);
        if (rows === rowsPerDelete) await renew();
      }
    const before = addSeconds(now, -resolveRetentionPeriodS('AUDIT_ORIGIN_DAYS', config));
    while ((await eraseAuditClientData(store, before)) === rowsPerDelete) await renew();
    for (const isDue of listDueConditions(now, config))
      for (const { id } of await store.db.selectFrom('citizens').select('id').where(isDue).execute()) {
        if (await deleteRecord(commands, id, isDue)) count('citizens', 1);
        await renew();
      }
  });
  return hasPurged ? deleted : null;
}

/**
 * Deletes the oldest expired rows. Because of this order, PostgreSQL uses the index: without it, PostgreSQL misestimates the number of rows and scans
 * the full table.
 */
async function deleteBatch(store: DatabaseStore, { table, old, column }: PurgedTable): Promise<number> {
  const name = sql.table(table);
  const { numAffectedRows = 0n } = await sql`
    delete from ${name} where ctid = any(array(select ctid from ${name} where ${old} order by ${sql.ref(column)} limit ${rowsPerDelete}))`.execute(
    store.db,
  );
  return Number(numAffectedRows);
}

/**
 * Accounts whose closure is due, records of foreign providers that were unused for `FOREIGN_DAYS`, and registrations that were not activated in time and
 * have no valid link. A blocked record stays until an agent unblocks it: otherwise, a citizen could escape a block by closing the account.
 */
function listDueConditions(now: Date, config: Dependencies['config']): readonly RawBuilder<boolean>[] {
  const used = sql`select from provider_identities where citizen_id = citizens.id and used_at >= ${addSeconds(now, -resolveRetentionPeriodS('FOREIGN_DAYS', config))}`;
  const link = sql`select from link_tokens where citizen_id = citizens.id and purpose in ('activation', 'email-change') and used_at is null and expires_at > ${now}`;
  return [
    sql`blocked_at is null and closing_at <= ${now}`,
    sql`blocked_at is null and idp is not null and not exists (${used})`,
    sql`blocked_at is null and active_at is null and created_at <= ${addSeconds(now, -computePendingRegistrationLifeS(config))} and not exists (${link})`,
  ];
}

/**
 * Deletes all data of a citizen except the rows of the audit log, where the id remains as a pseudonym. Foreign keys delete dependent rows by cascade.
 * Checks `isDue` again, because the citizen may have cancelled the closure, or an agent may have blocked the account.
 */
async function deleteRecord(commands: DatabaseCommandRunner, id: string, isDue: RawBuilder<boolean>): Promise<boolean> {
  return commands.run(createInternalChangeOrigin('system', 'purge'), async ({ tx, audit }) => {
    const deleted = await tx
      .deleteFrom('citizens')
      .where('id', '=', id)
      .where(isDue)
      .returning(['email', 'country', 'type', 'number', 'idp'])
      .executeTakeFirst();
    if (deleted === undefined) return false;
    await tx.deleteFrom('oidc_records').where('account_id', '=', id).execute();
    await tx.deleteFrom('challenges').where('citizen_id', '=', id).execute();
    if (deleted.idp === null) {
      // Deletes rows that contain the document instead of the citizen's id, but not for the record of a foreign provider's user: an account may have
      // the same document.
      await tx.deleteFrom('link_tokens').where('subject', '=', formatDocumentId(deleted)).execute();
      await tx.deleteFrom('challenges').where('document', '=', formatDocumentId(deleted)).execute();
    }
    // Deletes the mails to the citizen's address, unless another citizen has the same address: these mails may be for that citizen, and are kept
    // until they expire.
    if (deleted.email !== null)
      await tx
        .deleteFrom('outbox')
        .where('recipient', '=', deleted.email)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('citizens').select('id').where('email', '=', deleted.email))),
        )
        .execute();
    await audit('account-deleted', id);
    return true;
  });
}

/** Deletes accounts that were deleted after a backup and recreated by its restore. */
export async function deleteRestoredAccounts(commands: DatabaseCommandRunner, ids: readonly string[]) {
  const deleted: string[] = [];
  for (const id of ids) if (await deleteRecord(commands, id, sql`true`)) deleted.push(id);
  return deleted;
}

interface PurgedTable {
  readonly table: keyof Database;
  readonly old: RawBuilder<unknown>;
  /** Start of the retention period. First column of an index. */
  readonly column: string;
  /** Placeholder of the retention period in the privacy policy. `null` for rows without personal data. */
  readonly policy: ContentPlaceholderName | null;
}

/** Lists the tables that the purge deletes rows from. A test compares them with the privacy policy. */
export function listPurgedTables(now: Date, config: Pick<Config, 'retention'>): readonly PurgedTable[] {
  return Object.entries(databaseTableDescriptions).flatMap(([name, { retention }]) => {
    if (typeof retention === 'string') return [];
    const table = name as keyof Database; // the cast is safe: `name` is a key of `databaseTableDescriptions`
    return [{ table, old: retention.old(now, config), column: retention.column, policy: retention.policy }];
  });
}

/**
 * Deletes or ends pending work in the restored tables, such as unsent mails, because it may have been finished after the backup. Skips tables that the
 * backup does not have.
 */
export function createRestoreCleanup(now: Date) {
  return async (tx: Transaction<Database>, present: readonly string[]): Promise<void> => {
    for (const [table, { restored }] of Object.entries(databaseTableDescriptions)) {
      if (restored === undefined || !present.includes(table)) continue;
      await (restored === 'deleted' ? sql`delete from ${sql.table(table)}` : restored(now)).execute(tx);
    }
  };
}
