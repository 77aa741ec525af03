import { AuditWriter } from '../../../src/server/platform/audit/audit-writer.ts';
import { generateAuditKey, parseAuditKey, type AuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { sealAuditRows } from '../../../src/server/platform/audit/seal-audit.ts';
import { verifyAuditLog, type AuditFault } from '../../../src/server/platform/audit/verify-audit.ts';
import type { Clock } from '../../../src/server/platform/base/clock.ts';
import type { DatabaseStore } from '../../../src/server/platform/database/open-store.ts';

/** Seals all rows. Returns the faults of the audit log. */
export async function findAuditFaults({
  store,
  auditKeys: [key],
  clock,
}: {
  readonly store: DatabaseStore;
  readonly auditKeys: readonly [AuditKey, ...AuditKey[]];
  readonly clock: Clock;
}): Promise<readonly AuditFault[]> {
  await sealAuditRows(store, key, clock);
  const faults = await verifyAuditLog(store.db, { keys: [key] });
  return faults.filter(({ kind }) => kind !== 'waited'); // late seals are expected, because the test clock jumps
}

export async function createAuditWriter(): Promise<AuditWriter> {
  return new AuditWriter(await parseAuditKey(generateAuditKey()));
}
