import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { queueLogoutNotifications } from './session-ends.ts';
import { buildLiveSessionCondition } from './broker-sessions.ts';

export interface EndedSession {
  readonly id: string;
  readonly citizenId: string;
}

/** A session by its id, or by the secret of its cookie. */
export type SessionReference = { readonly id: string } | { readonly secret: string };

/**
 * `nextCitizenId` is the citizen who signs in next in this browser. If this citizen owns the session, the new session continues it, so its
 * applications are not notified.
 */
export async function revokeSession(
  tx: Tx,
  which: SessionReference,
  now: Date,
  nextCitizenId: string | null = null,
): Promise<EndedSession | null> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where((where) => ('id' in which ? where('id', '=', which.id) : where('hash', '=', hashSecret(which.secret))))
    .where('revoked_at', 'is', null)
    .returning(['id', 'citizen_id'])
    .executeTakeFirst();
  if (!ended) return null;
  if (ended.citizen_id !== nextCitizenId) await queueLogoutNotifications(tx, [ended.id], now);
  return { id: ended.id, citizenId: ended.citizen_id };
}

export async function revokeSessionOfCitizen(
  tx: Tx,
  citizenId: string,
  id: string,
  now: Date,
): Promise<EndedSession | null> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('citizen_id', '=', citizenId)
    .where(buildLiveSessionCondition(now))
    .returning('id')
    .executeTakeFirst();
  if (!ended) return null;
  await queueLogoutNotifications(tx, [id], now);
  return { id, citizenId };
}

/** Revokes all sessions of a citizen except `exceptSessionId`. With `idp`, revokes only sessions that started at this provider. */
export async function revokeSessionsOfCitizen(
  tx: Tx,
  citizenId: string,
  now: Date,
  exceptSessionId: string | null = null,
  idp?: string,
): Promise<readonly EndedSession[]> {
  const ended = await tx
    .updateTable('broker_sessions')
    .set({ revoked_at: now })
    .where('citizen_id', '=', citizenId)
    .where('revoked_at', 'is', null)
    .where('id', 'is distinct from', exceptSessionId)
    .$if(idp !== undefined, (sessions) => sessions.where('idp', '=', idp ?? ''))
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => id);
  await queueLogoutNotifications(tx, ids, now);
  return ids.map((id) => ({ id, citizenId }));
}
