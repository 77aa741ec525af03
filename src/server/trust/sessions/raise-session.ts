import { toLevel } from '../identity/levels.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { providerReach, sessionLevel } from '../identity/session-level.ts';

/**
 * Recomputes the level of a running session. `method` is one that the session has proven since its sign-in. A session that started at a provider
 * stays at the provider's level until the password is entered, because a second factor set up in it may belong to anybody whom the provider let in.
 * The level never decreases, since a provider may have vouched for more than the level of the record.
 */
export async function raiseSession(
  tx: Tx,
  { id, citizen, method }: { id: string; citizen: Citizen; method?: string },
): Promise<void> {
  const session = await tx
    .selectFrom('broker_sessions')
    .select(['amr', 'nid', 'verified_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (session === undefined) return;
  const amr = [...new Set([...session.amr.split(' '), ...(method === undefined ? [] : [method])])];
  const most = session.verified_at === null ? (providerReach(amr) ?? Infinity) : Infinity;
  await tx
    .updateTable('broker_sessions')
    .set({ amr: amr.join(' '), nid: Math.max(session.nid, Math.min(most, sessionLevel(toLevel(citizen).nid, amr))) })
    .where('id', '=', id)
    .execute();
}
