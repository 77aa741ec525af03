import { href } from '../../api/href.ts';
import { after } from '../clock.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import type { Store, Tx } from '../store/open-store.ts';
import { portalPages } from '../portal-pages.ts';

/** How long the current password, once given, opens the changes that ask for it. */
const proofLifeS = 10 * 60;

/** Notes that the citizen of a session has just given the current password. */
export async function noteProof(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
}

/** Whether changes that ask for a proof are open to a session; always where the flag verificar_identidad is off. */
export async function isProven({ config, clock }: Pick<Parts, 'config' | 'clock'>, db: Store['db'] | Tx, sessionId: string): Promise<boolean> {
  if (!config.flags.verificar_identidad) return true;
  const session = await db.selectFrom('broker_sessions').select('verified_at').where('id', '=', sessionId).executeTakeFirst();
  return session?.verified_at != null && after(session.verified_at, proofLifeS) > clock.now();
}

/** Throws a 403 unless the session holds a fresh proof; it names the page that asks for it and the path to come back to. */
export async function demandProof(
  parts: Pick<Parts, 'config' | 'clock'>, db: Store['db'] | Tx, { sessionId, back }: { sessionId: string; back: string },
): Promise<void> {
  if (await isProven(parts, db, sessionId)) return;
  throw new CallError(403, 'verificacion_requerida', { next: href(portalPages.verifyIdentity, { volver: back }) });
}
