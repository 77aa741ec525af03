import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { queueEnds } from './session-ends.ts';
import { isLive } from './sessions.ts';

/** A session that was ended just now. */
export interface EndedSession {
  readonly id: string;
  readonly citizenId: string;
}

/**
 * Ends one session by its cookie; null when it had ended before. `heir`: the citizen who signs in anew in its browser, whose own session goes on
 * in the new one: its applications hear nothing.
 */
export async function revokeSession(
  tx: Tx,
  secret: string,
  now: Date,
  heir: string | null = null,
): Promise<EndedSession | null> {
  return revokeOne(tx, 'hash', hashSecret(secret), now, heir);
}

/** Ends one session by its id; null as above. */
export async function revokeSessionById(tx: Tx, id: string, now: Date): Promise<EndedSession | null> {
  return revokeOne(tx, 'id', id, now);
}

async function revokeOne(
  tx: Tx,
  column: 'hash' | 'id',
  value: string,
  now: Date,
  heir: string | null = null,
): Promise<EndedSession | null> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where(column, '=', value)
    .where('revoked_at', 'is', null)
    .returning(['id', 'citizen_id'])
    .executeTakeFirst();
  if (!ended) return null;
  if (ended.citizen_id !== heir) await queueEnds(tx, [ended.id], now);
  return { id: ended.id, citizenId: ended.citizen_id };
}

/** Ends one live session of a citizen; null for any other, also one of somebody else. */
export async function revokeOwnSession(tx: Tx, citizenId: string, id: string, now: Date): Promise<EndedSession | null> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .where(isLive(now))
    .returning('id')
    .executeTakeFirst();
  if (!ended) return null;
  await queueEnds(tx, [id], now);
  return { id, citizenId };
}

/** Ends every session of a citizen but the one to keep: the one verb behind password change, block and revocation. `idp`: those that came by that provider alone. */
export async function revokeSessions(
  tx: Tx,
  citizenId: string,
  now: Date,
  keep: string | null = null,
  idp?: string,
): Promise<readonly EndedSession[]> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where('citizen_id', '=', citizenId)
    .where('revoked_at', 'is', null)
    .where('id', 'is distinct from', keep)
    .$if(idp !== undefined, (sessions) => sessions.where('idp', '=', idp ?? ''))
    .returning('id')
    .execute();
  await queueEnds(
    tx,
    ended.map(({ id }) => id),
    now,
  );
  return ended.map(({ id }) => ({ id, citizenId }));
}
