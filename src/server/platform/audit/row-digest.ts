import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AuditKey } from '../keys/audit-keys.ts';
import type { AuditRow } from './seal.ts';

/** What of a row its digest covers: all but `seq`, which the database gives, and its seal. */
type WrittenFields = Omit<AuditRow, 'seq' | 'seal' | 'leaf' | 'digest'>;

/** Keyed digest of a row, by which only holders of AUDIT_KEY can write one: HMAC-SHA-256 in base64url. */
export function rowDigest(row: WrittenFields, { digestKey }: Pick<AuditKey, 'digestKey'>): string {
  const { writer, number, follows, at, action, citizen_id, address, request_id, details, actor, user_agent } = row;
  return createHmac('sha256', digestKey)
    .update(
      JSON.stringify([
        writer,
        number,
        follows,
        at.toISOString(),
        action,
        citizen_id,
        address,
        request_id,
        details,
        actor,
        user_agent,
      ]),
    )
    .digest('base64url');
}

/** Whether a row is as a holder of one of the keys wrote it. Rows from before there were digests are. */
export function isAsWritten(row: AuditRow, keys: readonly Pick<AuditKey, 'digestKey'>[]): boolean {
  const { digest, writer, number, follows } = row;
  if (digest === null) return writer === null && number === null && follows === null;
  return keys.some((key) => {
    const [found, expected] = [Buffer.from(digest), Buffer.from(rowDigest(row, key))];
    return found.length === expected.length && timingSafeEqual(found, expected);
  });
}
