import { sql } from 'kysely';
import { buildDatabaseTimeAfter, computeRetryPauseS } from '../../platform/jobs/lease.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';

/** Without `sessionIds`, handles all due session ends. Returns the names of the applications that will be notified again later. */
export type NotifySessionEnds = (sessionIds?: readonly string[]) => Promise<readonly string[]>;

/** Duration of a replica's claim to a session end, in seconds. Afterwards, other replicas can claim it. */
const sessionEndClaimS = 60;

/**
 * Queues the notifications of relying parties. Call it in the transaction that ends the sessions. Skips an OIDC session that another live session
 * uses. SAML service providers are read later, when they are notified.
 */
export async function queueLogoutNotifications(tx: Tx, sessionIds: readonly string[], now: Date): Promise<void> {
  if (sessionIds.length === 0) return;
  const taken = await tx
    .deleteFrom('oidc_records')
    .using('broker_sessions')
    .where('broker_sessions.id', 'in', sessionIds)
    .where('oidc_records.model', '=', 'Session')
    .whereRef('oidc_records.uid', '=', 'broker_sessions.oidc_uid')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('broker_sessions as other')
            .select('other.id')
            .whereRef('other.oidc_uid', '=', 'oidc_records.uid')
            .where('other.revoked_at', 'is', null)
            .where('other.expires_at', '>', now)
            .where('other.idle_at', '>', now),
        ),
      ),
    )
    .returning(['broker_sessions.id as session_id', 'payload', 'oidc_records.expires_at'])
    .execute();
  const joined = await tx
    .selectFrom('saml_participants')
    .select('session_id')
    .distinct()
    .where('session_id', 'in', sessionIds)
    .execute();
  const payloads = new Map<string, string | null>([
    ...joined.map(({ session_id: id }) => [id, null] as const),
    ...taken
      .toSorted((one, other) => one.expires_at.getTime() - other.expires_at.getTime()) // if a session has several payloads, the one that expires last is used
      .map(({ session_id: id, payload }) => [id, payload] as const),
  ]);
  if (payloads.size === 0) return;
  await tx
    .insertInto('session_ends')
    .values([...payloads].map(([session_id, payload]) => ({ session_id, payload })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export type PendingSessionEnd = NonNullable<Awaited<ReturnType<typeof claimDueSessionEnd>>>;

/** Claims a due session end, so that other replicas skip it. If this replica crashes, the end becomes due again. */
export async function claimDueSessionEnd({ db }: DatabaseStore, sessionId?: string) {
  const row = await db
    .updateTable('session_ends')
    .set({ due_at: buildDatabaseTimeAfter(sessionEndClaimS), attempts: sql`attempts + 1` })
    .where('session_id', '=', (query) =>
      query
        .selectFrom('session_ends')
        .select('session_id')
        .where('due_at', '<=', sql<Date>`now()`)
        .$if(sessionId !== undefined, (ends) => ends.where('session_id', '=', sessionId ?? ''))
        .orderBy('due_at')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['session_id', 'payload', 'told', 'attempts'])
    .executeTakeFirst();
  return (
    row && {
      sessionId: row.session_id,
      payload: row.payload,
      told: JSON.parse(row.told) as readonly string[], // the cast is safe: `postponeSessionEnd` wrote the value
      attempts: row.attempts,
    }
  );
}

/** Reschedules a session end for the applications that were not notified. The delay doubles with each attempt, up to an hour. */
export async function postponeSessionEnd(
  { db }: DatabaseStore,
  { sessionId, attempts }: PendingSessionEnd,
  told: readonly string[],
): Promise<void> {
  await db
    .updateTable('session_ends')
    .set({ told: JSON.stringify(told), due_at: buildDatabaseTimeAfter(computeRetryPauseS(attempts)) })
    .where('session_id', '=', sessionId)
    .execute();
}
