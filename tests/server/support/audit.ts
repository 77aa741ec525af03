import type { AuditKey } from '../../../src/server/keys/audit-keys.ts';
import { sealAudit } from '../../../src/server/audit/seal-audit.ts';
import { verifyAudit, type AuditFault } from '../../../src/server/audit/verify-audit.ts';
import type { Clock } from '../../../src/server/base/clock.ts';
import type { Store } from '../../../src/server/database/open-store.ts';

/** What is wrong with an audit log, once all that was written is sealed. */
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
  return verifyAudit(store.db, { trust: new Map([[key.kid, key.publicJwk]]) });
}
