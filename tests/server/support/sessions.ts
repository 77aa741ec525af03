import { startSession } from '../../../src/server/trust/sessions/start-session.ts';
import type { TestServer } from './test-server.ts';

/** Starts a session without a sign-in. Returns its id. */
export async function openSession(
  { parts, clock }: Pick<TestServer, 'parts' | 'clock'>,
  citizenId: string,
  {
    amr,
    nid = 1,
    idp,
    gavePassword = false,
  }: { amr: readonly string[]; nid?: number; idp?: string; gavePassword?: boolean },
): Promise<string> {
  const { store, config } = parts;
  const now = clock.now();
  const device = { userAgent: 'test', address: '198.51.100.9' };
  const life = { now, lifeS: config.sessionLifeS, idleS: config.sessionIdleS };
  return store.transaction(async (tx) => {
    const who = { citizenId, amr, nid, role: 'citizen' as const, ...(idp !== undefined && { idp }) };
    const { id } = await startSession(tx, { ...who, device, ...life });
    if (gavePassword) await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', id).execute();
    return id;
  });
}
