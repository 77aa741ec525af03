import { after } from '../../platform/base/clock.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** The only use for which the answer to a challenge is accepted. */
export interface CeremonyBinding {
  readonly purpose: 'register' | 'second-factor' | 'sign-in' | 'act';
  /** The id of a session, the hash of a sign-in, or the hash of an agent's act together with its session. */
  readonly owner: string;
}

export const ceremonyLifeS = 5 * 60;

/** Lifetime in seconds of a challenge that confirms an agent's act. */
export const confirmationLifeS = 2 * 60;

/** Stores the challenge of a WebAuthn ceremony. It replaces the previous challenge of the same binding. */
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
 * Consumes the pending challenge, even if its answer turns out to be invalid. Returns a function that compares a challenge with it. Returns `null` if
 * none is pending. Of parallel calls, one succeeds. Runs outside the command's transaction, because a refusal would roll back the consumption.
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
