import { after } from '../clock.ts';
import type { Caller } from '../call.ts';
import type { Parts } from '../parts.ts';
import { sessionById } from './sessions.ts';

const seenEveryS = 60;

/** Who a bearer token stands for: asked of the session's record at each call, so that logout and block act at once. */
export async function authenticate({ tokens, store, clock }: Parts, token: string): Promise<Caller | null> {
  const id = await tokens.read(token);
  if (id === null) return null;
  const now = clock.now();
  const session = await sessionById(store.db, id, now);
  if (session === null) return null;
  if (after(session.seenAt, seenEveryS) < now) {
    await store.db.updateTable('broker_sessions').set({ seen_at: now }).where('id', '=', session.id).execute();
  }
  return { citizenId: session.citizenId, sessionId: session.id, role: session.role, permisos: session.permissions };
}
