import type { JsonObject } from '../../engine/core/json.ts';
import { actorOf, type Origin } from '../base/origin.ts';
import type { Tx } from '../database/open-store.ts';

/** What happened, and to whom; `details` holds no secret. */
export interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  readonly citizenId: string | null;
  readonly details?: JsonObject;
}

/** Appends to the audit log in the transaction of the change itself. The rows of commands wait for no order: sealing gives them theirs. */
export async function appendAudit(
  tx: Tx,
  origin: Origin,
  { at, action, citizenId, details }: AuditEntry,
): Promise<void> {
  await tx
    .insertInto('audit')
    .values({
      at,
      action,
      citizen_id: citizenId,
      address: origin.address,
      request_id: origin.requestId,
      details: JSON.stringify(details ?? {}),
      actor: actorOf(origin, citizenId),
      user_agent: origin.userAgent,
    })
    .execute();
}
