import { levelOf } from '../identity/levels.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { providerReach, sessionLevel } from '../identity/session-level.ts';

/**
 * Reckons the level of a running session anew; `method`: one that it has proven since its sign-in. Who came by a provider stays at what that vouches for until
 * the password was given: a second factor that is set up there is one of whoever the provider let in. The level never falls, since a provider may have vouched
 * for more than the record's.
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
    .set({ amr: amr.join(' '), nid: Math.max(session.nid, Math.min(most, sessionLevel(levelOf(citizen).nid, amr))) })
    .where('id', '=', id)
    .execute();
}
