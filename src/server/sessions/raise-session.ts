import { levelOf } from '../identity/levels.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../database/open-store.ts';
import { sessionLevel } from '../identity/session-level.ts';

/** Reckons the level of a running session anew; `method`: one that it has proven since its sign-in. */
export async function raiseSession(
  tx: Tx,
  { id, citizen, method }: { id: string; citizen: Citizen; method?: string },
): Promise<void> {
  const session = await tx.selectFrom('broker_sessions').select('amr').where('id', '=', id).executeTakeFirst();
  if (session === undefined) return;
  const amr = [...new Set([...session.amr.split(' '), ...(method === undefined ? [] : [method])])];
  await tx
    .updateTable('broker_sessions')
    .set({ amr: amr.join(' '), nid: sessionLevel(levelOf(citizen).nid, amr) })
    .where('id', '=', id)
    .execute();
}
