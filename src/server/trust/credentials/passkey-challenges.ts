import { after } from '../../platform/base/clock.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** What a challenge is good for: nothing else accepts its answer. */
export interface CeremonyBinding {
  readonly purpose: 'register' | 'second-factor' | 'sign-in' | 'act';
  /** The id of a session, the hash of a sign-in, or that of an act in its session. */
  readonly owner: string;
}

/** Life of a challenge in seconds. */
export const ceremonyLifeS = 5 * 60;

/** The same for the confirmation of an act. */
export const confirmationLifeS = 2 * 60;

/** Stores the challenge of a ceremony; the one before it, of the same binding, is void. */
export async function storeCeremony(
  db: Store['db'] | Tx,
  { purpose, owner }: CeremonyBinding,
  challenge: string,
  now: Date,
): Promise<void> {
  const fresh = {
    digest: hashSecret(challenge),
    expires_at: after(now, purpose === 'act' ? confirmationLifeS : ceremonyLifeS),
    used_at: null,
  };
  await db
    .insertInto('passkey_challenges')
    .values({ purpose, owner, ...fresh })
    .onConflict((conflict) => conflict.columns(['purpose', 'owner']).doUpdateSet(fresh))
    .execute();
}

/**
 * Uses the challenge of a ceremony up, whatever its answer is worth; answers the check of what the answer says it was, null when
 * there is none that waits. Of parallel uses one gets it. It counts outside of the command's transaction, which a refusal would roll back.
 */
export async function takeCeremony(
  { db }: Store,
  { purpose, owner }: CeremonyBinding,
  now: Date,
): Promise<((challenge: string) => boolean) | null> {
  const taken = await db
    .updateTable('passkey_challenges')
    .set({ used_at: now })
    .where('purpose', '=', purpose)
    .where('owner', '=', owner)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('digest')
    .executeTakeFirst();
  return taken ? (challenge) => hashSecret(challenge) === taken.digest : null;
}
