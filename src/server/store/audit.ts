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
  const last = await tx.selectFrom('audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst();
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

function hashOf({ previous, seq, at, action, citizen_id, address, request_id, details, actor, user_agent }: Omit<Row, 'hash'>): string {
  const before = [previous, seq, at.toISOString(), action, citizen_id, address, request_id, details];
  const fields = actor === null ? before : [...before, actor, user_agent];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}
