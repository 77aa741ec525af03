import { hashSecret } from '../keys/secrets.ts';
import type { Tx } from '../store/open-store.ts';

/** Life of the cookie by which a browser is known again, in seconds; each sign-in renews it. */
export const deviceLifeS = 365 * 24 * 60 * 60;

/** Notes that a citizen signs in with the browser of a cookie; answers whether the citizen did so before. Hashed with the citizen, so that rows tell nothing of who shares a browser. */
export async function noteDevice(tx: Tx, { citizenId, secret, now }: { citizenId: string; secret: string; now: Date }): Promise<boolean> {
  const row = { citizen_id: citizenId, hash: hashSecret(`${citizenId} ${secret}`), seen_at: now };
  const known = await tx.updateTable('known_devices').set({ seen_at: now })
    .where('citizen_id', '=', row.citizen_id).where('hash', '=', row.hash).returning('hash').executeTakeFirst();
  if (known === undefined) await tx.insertInto('known_devices').values(row).execute();
  return known !== undefined;
}
