import { sql, type Selectable } from 'kysely';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { hashSecret, randomSecret } from '../../platform/keys/secrets.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';

/** The server's record of one running sign-in: what was proven, by whom, in which browser. */
export type ChallengeRecord = Selectable<Database['challenges']>;

/** Life of a sign-in and of the cookie that binds it, in seconds. */
export const challengeLifeS = 10 * 60;
const mostTries = 10;

/** What a sign-in starts with. */
type NewChallenge = Pick<
  ChallengeRecord,
  'step' | 'document' | 'citizen_id' | 'redirect_url' | 'process_state' | 'agent' | 'user_agent' | 'address'
>;

/** Stores a new sign-in that waits for `step`, bound to the browser's secret; answers the secret that carries the chain. */
export async function openChallenge(store: Store, start: NewChallenge, browser: string, now: Date): Promise<string> {
  const secret = randomSecret();
  await store.db
    .insertInto('challenges')
    .values({
      ...start,
      hash: hashSecret(secret),
      browser: hashSecret(browser),
      factors: 'username',
      tries: 0,
      institutional_email: null,
      created_at: now,
      expires_at: after(now, challengeLifeS),
      used_at: null,
    })
    .execute();
  return secret;
}

/** Counts a try of `step` and answers its record; one that is skipped to, used, expired, exhausted or of another browser expired. */
export async function tryChallenge(
  store: Store,
  step: string,
  secret: string | null | undefined,
  browser: string | undefined,
  now: Date,
): Promise<ChallengeRecord> {
  if (!secret || browser === undefined) throw expired();
  const record = await store.db
    .updateTable('challenges')
    .set({ tries: sql<number>`tries + 1` })
    .where('hash', '=', hashSecret(secret))
    .where('browser', '=', hashSecret(browser))
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where('tries', '<', mostTries)
    .returningAll()
    .executeTakeFirst();
  if (!record) throw expired();
  return record;
}

/**
 * Takes a sign-in back to a step that was proven before, as who goes back in it does: that step and what was proven since are to be
 * proven again. Nothing happens to any other sign-in.
 */
export async function rewindChallenge(
  store: Store,
  step: string,
  secret: string | null | undefined,
  browser: string | undefined,
  now: Date,
): Promise<void> {
  if (!secret || browser === undefined) return;
  await store.db
    .updateTable('challenges')
    .set({ step, factors: 'username', institutional_email: null })
    .where('hash', '=', hashSecret(secret))
    .where('browser', '=', hashSecret(browser))
    .where('step', '!=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(sql<boolean>`${step} = any(string_to_array(factors, ' '))`)
    .execute();
}

/** The sign-in of a chain that waits for `step`; null for any other. It counts nothing and allows nothing. */
export async function findChallenge(
  store: Store,
  step: string,
  secret: string,
  now: Date,
): Promise<ChallengeRecord | null> {
  const record = await store.db
    .selectFrom('challenges')
    .selectAll()
    .where('hash', '=', hashSecret(secret))
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return record ?? null;
}

/**
 * Moves a sign-in on from the step that was answered; of parallel answers one succeeds, the others expired. Proven factors
 * earn new tries.
 */
export async function advanceChallenge(tx: Tx, record: ChallengeRecord, next: ChallengeRecord): Promise<void> {
  const { step, factors, agent, institutional_email, citizen_id, document } = next;
  const moved = await tx
    .updateTable('challenges')
    .set({
      step,
      factors,
      agent,
      institutional_email,
      citizen_id,
      document,
      ...(factors === record.factors ? {} : { tries: 0 }),
    })
    .where('hash', '=', record.hash)
    .where('step', '=', record.step)
    .where('factors', '=', record.factors)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  if (!moved) throw expired();
}

/** Uses the record up; of parallel uses one succeeds, the others expired. */
export async function closeChallenge(tx: Tx, { hash, step }: ChallengeRecord, now: Date): Promise<void> {
  const used = await tx
    .updateTable('challenges')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  if (!used) throw expired();
}

/** Ends every running sign-in of a citizen: what was proven before a change of the account counts no longer. */
export async function closeChallenges(tx: Tx, citizenId: string, now: Date): Promise<void> {
  await tx
    .updateTable('challenges')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('used_at', 'is', null)
    .execute();
}

/** A sign-in that goes on by a new token, and what it was opened for. */
export type HandedOver = Pick<ChallengeRecord, 'process_state' | 'redirect_url' | 'agent'> & {
  readonly token: string;
};

/** Gives a sign-in that waits for `step` a new token in place of the one whose hash is `hash`; null: it waits no longer. */
export async function handOver(tx: Tx, hash: string, step: string, now: Date): Promise<HandedOver | null> {
  const token = randomSecret();
  const waiting = await tx
    .updateTable('challenges')
    .set({ hash: hashSecret(token) })
    .where('hash', '=', hash)
    .where('step', '=', step)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['process_state', 'redirect_url', 'agent'])
    .executeTakeFirst();
  return waiting ? { ...waiting, token } : null;
}

/** Names of what was answered in a sign-in. */
export function factorsOf({ factors }: Pick<ChallengeRecord, 'factors'>): readonly string[] {
  return factors.split(' ');
}

/** The one answer to every sign-in that cannot go on. */
export function expired(): OperationError {
  return new OperationError(410, 'sesion_expirada');
}
