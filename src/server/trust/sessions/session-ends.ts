import { sql } from 'kysely';
import { inSeconds, pauseAfter } from '../../platform/database/in-seconds.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** A session that ended, as far as applications have yet to hear of it. */
export interface SessionEnd {
  readonly sessionId: string;
  /** The sealed record of the OIDC provider's session that stood on it; null: it had none. */
  readonly payload: string | null;
  /** Ids of the applications that have heard of it. */
  readonly told: readonly string[];
  readonly attempts: number;
}

/**
 * Tells the applications of ended sessions that they ended, by the back channel: of those that are named, else of all that are due. Answers the
 * names of the applications that did not hear of it: they are tried again later.
 */
export type TellEnds = (sessionIds?: readonly string[]) => Promise<readonly string[]>;

/** How long who has taken an end may take for it, in seconds; after that it is due again. */
const claimS = 60;

/**
 * Keeps, in the transaction that ends sessions, what is needed to tell their applications after it: the OIDC provider's session, which is
 * deleted with that, unless another live session stands on it. Service providers of SAML are kept by the session's id.
 */
export async function queueEnds(tx: Tx, sessionIds: readonly string[], now: Date): Promise<void> {
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
    .returning(['broker_sessions.id as session_id', 'payload'])
    .execute();
  const joined = await tx
    .selectFrom('saml_participants')
    .select('session_id')
    .distinct()
    .where('session_id', 'in', sessionIds)
    .execute();
  const payloads = new Map<string, string | null>([
    ...joined.map(({ session_id: id }) => [id, null] as const),
    ...taken.map(({ session_id: id, payload }) => [id, payload] as const),
  ]);
  if (payloads.size === 0) return;
  await tx
    .insertInto('session_ends')
    .values([...payloads].map(([session_id, payload]) => ({ session_id, payload })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The sealed records of the OIDC provider's sessions that ended with those of the broker, in the transaction that ended them. */
export async function endedPayloads(tx: Tx, sessionIds: readonly string[]): Promise<readonly string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await tx
    .selectFrom('session_ends')
    .select('payload')
    .where('session_id', 'in', sessionIds)
    .where('payload', 'is not', null)
    .execute();
  return rows.flatMap(({ payload }) => payload ?? []);
}

/** Takes the next end that is due, of one session if it is named; other replicas skip it. One whose taker dies is due again. */
export async function claimEnd({ db }: Store, sessionId?: string): Promise<SessionEnd | undefined> {
  const row = await db
    .updateTable('session_ends')
    .set({ due_at: inSeconds(claimS), attempts: sql`attempts + 1` })
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
      told: JSON.parse(row.told) as readonly string[], // as `postponeEnd` wrote it
      attempts: row.attempts,
    }
  );
}

/** Forgets an end: everybody heard of it, or it is given up. */
export async function forgetEnd({ db }: Store, sessionId: string): Promise<void> {
  await db.deleteFrom('session_ends').where('session_id', '=', sessionId).execute();
}

/** Puts an end back for those who have not heard of it: it is due again after a pause that doubles up to an hour. */
export async function postponeEnd(
  { db }: Store,
  { sessionId, attempts }: SessionEnd,
  told: readonly string[],
): Promise<void> {
  await db
    .updateTable('session_ends')
    .set({ told: JSON.stringify(told), due_at: inSeconds(pauseAfter(attempts)) })
    .where('session_id', '=', sessionId)
    .execute();
}
