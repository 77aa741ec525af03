import { addSeconds } from '../../platform/base/clock.ts';
import { hashSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';

/** `correct-email` corrects the address of a pending account. `email-change` confirms a new address, and `email-code` mails a code to it. */
export type LinkTokenPurpose =
  'activation' | 'resend' | 'correct-email' | 'reset' | 'email-change' | 'email-code' | 'disavow' | 'support-call';

/** Account and subject of a link token. The subject is usually the e-mail address to which the link was mailed. */
export interface LinkTokenOwner {
  readonly citizenId: string | null;
  readonly subject: string;
}

/** Creates a token of 256 bits and returns it. Only its hash is stored. */
export async function issueLinkToken(
  tx: Tx,
  token: { purpose: LinkTokenPurpose; citizenId: string | null; subject: string; now: Date; lifeS: number },
): Promise<string> {
  const secret = generateSecret();
  await tx
    .insertInto('link_tokens')
    .values({
      hash: hashSecret(secret),
      purpose: token.purpose,
      citizen_id: token.citizenId,
      subject: token.subject,
      created_at: token.now,
      expires_at: addSeconds(token.now, token.lifeS),
    })
    .execute();
  return secret;
}

/** Consumes a token. Returns `null` if it is unknown, expired, already used, or has another purpose. Of parallel calls, only one succeeds. */
export async function consumeLinkToken(tx: Tx, purpose: LinkTokenPurpose, secret: string, now: Date) {
  const used = await tx
    .updateTable('link_tokens')
    .set({ used_at: now })
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['citizen_id', 'subject'])
    .executeTakeFirst();
  return readOwner(used);
}

export async function findLiveLinkToken(db: DatabaseStore['db'], purpose: LinkTokenPurpose, secret: string, now: Date) {
  return readOwner(
    await selectToken(db, purpose, secret)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .executeTakeFirst(),
  );
}

export async function voidLinkTokens(tx: Tx, purpose: LinkTokenPurpose, citizenId: string, now: Date): Promise<void> {
  await tx
    .updateTable('link_tokens')
    .set({ used_at: now })
    .where('citizen_id', '=', citizenId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

export function listUnusedLinkTokens(tx: Tx, purpose: LinkTokenPurpose, citizenId: string) {
  return tx
    .selectFrom('link_tokens')
    .select(['hash', 'subject'])
    .where('citizen_id', '=', citizenId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

export async function voidLinkToken(tx: Tx, hash: string, now: Date): Promise<void> {
  await tx.updateTable('link_tokens').set({ used_at: now }).where('hash', '=', hash).execute();
}

/** Returns the owner of a used or voided token, even if it has also expired. Returns `null` if there is none. */
export async function findUsedLinkToken(db: DatabaseStore['db'], purpose: LinkTokenPurpose, secret: string) {
  return readOwner(await selectToken(db, purpose, secret).where('used_at', 'is not', null).executeTakeFirst());
}

function selectToken(db: DatabaseStore['db'], purpose: LinkTokenPurpose, secret: string) {
  return db
    .selectFrom('link_tokens')
    .select(['citizen_id', 'subject'])
    .where('hash', '=', hashSecret(secret))
    .where('purpose', '=', purpose);
}

function readOwner(row: { citizen_id: string | null; subject: string } | undefined): LinkTokenOwner | null {
  return row ? { citizenId: row.citizen_id, subject: row.subject } : null;
}
