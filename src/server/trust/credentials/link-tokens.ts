import { after } from '../../platform/base/clock.ts';
import { hashSecret, randomSecret } from '../../platform/keys/secrets.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/**
 * What a token allows: `activation` activates an account, `resend` asks for another activation mail, `correct-email` corrects the address of a pending
 * account, `reset` sets a new password,
 * `email-change` confirms a new address, `email-code` has a code mailed to it that does so, `disavow` undoes a change that a mail told about,
 * `support-call` opens a booked call.
 */
export type TokenPurpose =
  'activation' | 'resend' | 'correct-email' | 'reset' | 'email-change' | 'email-code' | 'disavow' | 'support-call';

/** Whose a token is, and what it is about: for a link, the address that it was mailed to. */
export interface TokenOwner {
  readonly citizenId: string | null;
  readonly subject: string;
}

/** Issues a token of 256 bits and stores its hash; answers the token itself, which nobody can read again. */
export async function issueToken(
  tx: Tx,
  token: { purpose: TokenPurpose; citizenId: string | null; subject: string; now: Date; lifeS: number },
): Promise<string> {
  const secret = randomSecret();
  await tx
    .insertInto('link_tokens')
    .values({
      hash: hashSecret(secret),
      purpose: token.purpose,
      citizen_id: token.citizenId,
      subject: token.subject,
      created_at: token.now,
      expires_at: after(token.now, token.lifeS),
      used_at: null,
    })
    .execute();
  return secret;
}

/** Uses a token up; null when it is unknown, of another purpose, expired or used. Of parallel uses one succeeds. */
export async function consumeToken(
  tx: Tx,
  purpose: TokenPurpose,
  secret: string,
  now: Date,
): Promise<TokenOwner | null> {
  const used = await tx
    .updateTable('link_tokens')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['citizen_id', 'subject'])
    .executeTakeFirst();
  return ownerOf(used);
}

/** A token that can still be used; null when there is none. */
export async function findLiveToken(
  db: Store['db'],
  purpose: TokenPurpose,
  secret: string,
  now: Date,
): Promise<TokenOwner | null> {
  return ownerOf(
    await tokenOf(db, purpose, secret).where('used_at', 'is', null).where('expires_at', '>', now).executeTakeFirst(),
  );
}

/** The citizen of such a token; null when there is none. */
export async function citizenOfLiveToken(
  db: Store['db'],
  purpose: TokenPurpose,
  secret: string,
  now: Date,
): Promise<string | null> {
  return (await findLiveToken(db, purpose, secret, now))?.citizenId ?? null;
}

/** Makes every unused token of a citizen and purpose useless. */
export async function voidTokens(tx: Tx, purpose: TokenPurpose, citizenId: string, now: Date): Promise<void> {
  await tx
    .updateTable('link_tokens')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

/** The unused tokens of a citizen and purpose, by their hashes. */
export function unusedTokens(
  tx: Tx,
  purpose: TokenPurpose,
  citizenId: string,
): Promise<{ hash: string; subject: string }[]> {
  return tx
    .selectFrom('link_tokens')
    .select(['hash', 'subject'])
    .where('citizen_id', '=', citizenId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

/** Makes one token useless. */
export async function voidToken(tx: Tx, hash: string, now: Date): Promise<void> {
  await tx.updateTable('link_tokens').set({ used_at: now }).where('hash', '=', hash).execute();
}

/** A token that was used or made useless before, expired or not; null when there is none. */
export async function findUsedToken(
  db: Store['db'],
  purpose: TokenPurpose,
  secret: string,
): Promise<TokenOwner | null> {
  return ownerOf(await tokenOf(db, purpose, secret).where('used_at', 'is not', null).executeTakeFirst());
}

/** The citizen of such a token; null when there is none. */
export async function citizenOfUsedToken(
  db: Store['db'],
  purpose: TokenPurpose,
  secret: string,
): Promise<string | null> {
  return (await findUsedToken(db, purpose, secret))?.citizenId ?? null;
}

function tokenOf(db: Store['db'], purpose: TokenPurpose, secret: string) {
  return db
    .selectFrom('link_tokens')
    .select(['citizen_id', 'subject'])
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose);
}

function ownerOf(row: { citizen_id: string | null; subject: string } | undefined): TokenOwner | null {
  return row ? { citizenId: row.citizen_id, subject: row.subject } : null;
}
