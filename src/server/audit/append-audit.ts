import type { JsonObject } from '../../engine/core/json.ts';
import { whoActs, type Actor } from '../base/actor.ts';
import type { Tx } from '../database/open-store.ts';

/** What happened, to whom and from where; `details` holds no secret. */
export interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  readonly citizenId: string | null;
  readonly address: string;
  readonly requestId: string;
  readonly details?: JsonObject;
  /** Where the request that is being answered does not tell it. */
  readonly actor?: Actor;
}

/** Appends to the audit log in the transaction of the change itself. The rows of commands wait for no order: sealing gives them theirs. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { actor, userAgent } = whoActs(entry.citizenId);
  await tx
    .insertInto('audit')
    .values({
      at: entry.at,
      action: entry.action,
      citizen_id: entry.citizenId,
      address: entry.address,
      request_id: entry.requestId,
      details: JSON.stringify(entry.details ?? {}),
      actor: entry.actor ?? actor,
      user_agent: userAgent,
    })
    .execute();
}
