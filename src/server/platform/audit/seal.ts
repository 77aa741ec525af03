import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database/schema.ts';
import { leafHash } from './merkle.ts';

export type AuditRow = Selectable<Database['audit']>;

/** What is signed of a batch of rows; each carries the hash of the one before, so that none can be missing between two. */
export type Seal = Selectable<Database['audit_seals']>;

/** Hash before the first seal. */
export const origin = '0'.repeat(64);

/** What of a row its hash covers: anything else of it may be of whoever wrote the file. */
export function provenFields({
  seq,
  at,
  action,
  citizen_id,
  address,
  request_id,
  details,
  actor,
  user_agent,
}: AuditRow): Pick<
  AuditRow,
  'seq' | 'at' | 'action' | 'citizen_id' | 'address' | 'request_id' | 'details' | 'actor' | 'user_agent'
> {
  return { seq, at, action, citizen_id, address, request_id, details, actor, user_agent };
}

export function rowHash(row: AuditRow): string {
  return leafHash(JSON.stringify(Object.values(provenFields(row))));
}

/** Hash of a seal, which is what its signature is of. */
export function sealHash({ number, sealed_at, rows, root, previous, key }: Omit<Seal, 'hash' | 'signature'>): string {
  return createHash('sha256')
    .update(JSON.stringify([number, sealed_at.toISOString(), rows, root, previous, key]))
    .digest('hex');
}
