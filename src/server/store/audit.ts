import { createHash } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { JsonObject } from '../../engine/core/json.ts';
import { whoActs, type Actor } from '../actor.ts';
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
  /** Where the request that is being answered does not tell it. */
  readonly actor?: Actor;
}

type Row = Selectable<Database['audit']>;

const origin = '0'.repeat(64);

/** Appends to the audit log in the transaction of the change itself; each row carries the hash of the one before. */
export async function appendAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await lastAuditRow(tx);
  const { actor, userAgent } = whoActs(entry.citizenId);
  const row = {
    seq: (last?.seq ?? 0) + 1,
    at: entry.at,
    action: entry.action,
    citizen_id: entry.citizenId,
    address: entry.address,
    request_id: entry.requestId,
    details: JSON.stringify(entry.details ?? {}),
    actor: entry.actor ?? actor,
    user_agent: userAgent,
    previous: last?.hash ?? origin,
  };
  await tx.insertInto('audit').values({ ...row, hash: hashOf(row) }).execute();
}

/** Rows that are read at once. */
const batch = 1_000;

/** Where the log ends: whoever has kept it can tell later that nothing was cut off. */
export interface AuditEnd {
  readonly seq: number;
  readonly hash: string;
}

/** The end of the log; null: it is empty. */
export async function lastAuditRow(db: Kysely<Database>): Promise<AuditEnd | null> {
  return await db.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst() ?? null;
}

/** Walks the whole chain, which must hold an `earlier` end; answers the number of the first row that does not fit or is missing, null when all do. */
export async function verifyAudit(db: Kysely<Database>, earlier?: AuditEnd): Promise<number | null> {
  let last: AuditEnd = { seq: 0, hash: origin };
  for (;;) {
    const rows = await db.selectFrom('audit').selectAll().where('seq', '>', last.seq).orderBy('seq').limit(batch).execute();
    for (const { hash, ...row } of rows) {
      const seq = last.seq + 1;
      if (row.seq !== seq || row.previous !== last.hash || hashOf(row) !== hash || (seq === earlier?.seq && hash !== earlier.hash)) return seq;
      last = { seq, hash };
    }
    if (rows.length < batch) break;
  }
  return earlier !== undefined && last.seq < earlier.seq ? last.seq + 1 : null;
}

function hashOf({ previous, seq, at, action, citizen_id, address, request_id, details, actor, user_agent }: Omit<Row, 'hash'>): string {
  const before = [previous, seq, at.toISOString(), action, citizen_id, address, request_id, details];
  const fields = actor === null ? before : [...before, actor, user_agent];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
