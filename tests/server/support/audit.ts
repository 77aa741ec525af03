import { AuditWriter } from '../../../src/server/platform/audit/audit-writer.ts';
import { makeAuditKey, readAuditKey, type AuditKey } from '../../../src/server/platform/keys/audit-keys.ts';
import { sealAudit } from '../../../src/server/platform/audit/seal-audit.ts';
import { verifyAudit, type AuditFault } from '../../../src/server/platform/audit/verify-audit.ts';
import type { Clock } from '../../../src/server/platform/base/clock.ts';
import type { Store } from '../../../src/server/platform/database/open-store.ts';

/** Faults of an audit log after sealing all rows. */
export async function auditFaults({
  store,
  auditKeys: [key],
  clock,
}: {
  readonly store: Store;
  readonly auditKeys: readonly [AuditKey, ...AuditKey[]];
  readonly clock: Clock;
}): Promise<readonly AuditFault[]> {
  await sealAudit(store, key, clock);
  const faults = await verifyAudit(store.db, { keys: [key] });
  return faults.filter(({ kind }) => kind !== 'waited'); // the test clock jumps, and nothing is sealed meanwhile
}

/** A writer of audit rows under a key of its own. */
export async function testAuditWriter(): Promise<AuditWriter> {
  return new AuditWriter(await readAuditKey(makeAuditKey()));
}
