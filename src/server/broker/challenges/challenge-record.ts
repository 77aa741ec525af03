import { sql, type Selectable } from 'kysely';
import { after } from '../../clock.ts';
import { CallError } from '../../errors.ts';
import { hashSecret, randomSecret } from '../../keys/secrets.ts';
import type { Store, Tx } from '../../store/open-store.ts';
import type { Database } from '../../store/schema.ts';

/** The server's record of one running sign-in: what was proven, by whom, in which browser. */
export type ChallengeRecord = Selectable<Database['challenges']>;

/** Life of a sign-in and of the cookie that binds it, in seconds. */
export const challengeLifeS = 10 * 60;
const mostTries = 10;

/** What a sign-in starts with. */
type NewChallenge = Pick<ChallengeRecord, 'step' | 'document' | 'citizen_id' | 'redirect_url' | 'process_state' | 'agent'>;

/** Stores a new sign-in that waits for `step`, bound to the browser's secret; answers the secret that carries the chain. */
export async function openChallenge(store: Store, start: NewChallenge, browser: string, now: Date): Promise<string> {
  const secret = randomSecret();
  await store.db.insertInto('challenges').values({
    ...start, hash: hashSecret(secret), browser: hashSecret(browser), factors: 'username', tries: 0,
    created_at: now, expires_at: after(now, challengeLifeS), used_at: null,
  }).execute();
  return secret;
}

/** Counts a try of `step` and answers its record; one that is skipped to, used, expired, exhausted or of another browser expired. */
export async function tryChallenge(
  store: Store, step: string, secret: string | null | undefined, browser: string | undefined, now: Date,
): Promise<ChallengeRecord> {
  if (!secret || browser === undefined) throw expired();
  const record = await store.db.updateTable('challenges')
    .set({ tries: sql<number>`tries + 1` })
    .where('hash', '=', hashSecret(secret)).where('browser', '=', hashSecret(browser)).where('step', '=', step)
    .where('used_at', 'is', null).where('expires_at', '>', now).where('tries', '<', mostTries)
    .returningAll().executeTakeFirst();
  if (!record) throw expired();
  return record;
}

/** Uses the record up; of parallel uses one succeeds, the others expired. */
export async function closeChallenge(tx: Tx, { hash }: ChallengeRecord, now: Date): Promise<void> {
  const used = await tx.updateTable('challenges').set({ used_at: now })
    .where('hash', '=', hash).where('used_at', 'is', null).returning('hash').executeTakeFirst();
  if (!used) throw expired();
}

/** The one answer to every sign-in that cannot go on. */
export function expired(): CallError {
  return new CallError(401, 'sesion_expirada');
}
