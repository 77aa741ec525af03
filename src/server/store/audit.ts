import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { JsonObject } from '../../engine/core/json.ts';
import type { Tx } from './open-store.ts';
import type { Database } from './schema.ts';

/** What happened, to whom and from where; `details` holds no secret. */
export interface AuditEntry {
  readonly at: Date;
  readonly action: string;
  readonly citizenId: string | null;
  readonly address: string;
  readonly requestId: string;
  readonly details?: JsonObject;
}

const origin = '0'.repeat(64);

/** Appends to the audit log in the transaction of the change itself; each row carries the hash of the one before. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await tx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at: entry.at,
    action: entry.action,
    citizen_id: entry.citizenId,
    address: entry.address,
    request_id: entry.requestId,
    details: JSON.stringify(entry.details ?? {}),
    previous: last?.hash ?? origin,
  };
  await tx.insertInto('audit').values({ ...row, hash: hashOf(row) }).execute();
}

/** Walks the whole chain; answers the number of the first row that does not fit, null when all do. */
export async function verifyAudit(db: Kysely<Database>): Promise<number | null> {
  const rows = await db.selectFrom('audit').selectAll().orderBy('seq').execute();
  let previous = origin;
  let seq = 0;
  for (const { hash, ...row } of rows) {
    seq += 1;
    if (row.seq !== seq || row.previous !== previous || hashOf(row) !== hash) return seq;
    previous = hash;
  }
  return null;
}

function hashOf(row: {
  seq: number; at: Date; action: string; citizen_id: string | null; address: string; request_id: string; details: string; previous: string;
}): string {
  const fields = [row.previous, row.seq, row.at.toISOString(), row.action, row.citizen_id, row.address, row.request_id, row.details];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
