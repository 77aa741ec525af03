import type { Kysely } from 'kysely';
import { voidLinkTokens } from './link-tokens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';

export async function findPendingEmail(db: Kysely<Database>, citizenId: string): Promise<string | null> {
  const change = await db
    .selectFrom('email_changes')
    .select('email')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return change?.email ?? null;
}

/**
 * Stores a pending change, and voids the link and the code of the previous one. The new change cannot be confirmed before `confirmFrom`, so that the
 * owner of the old address can object.
 */
export async function storePendingEmailChange(
  tx: Tx,
  { citizenId, email, confirmFrom = null }: { citizenId: string; email: string; confirmFrom?: Date | null },
  now: Date,
): Promise<void> {
  await discardPendingEmailChange(tx, citizenId, now);
  await tx
    .insertInto('email_changes')
    .values({ citizen_id: citizenId, email, requested_at: now, confirm_from: confirmFrom })
    .execute();
}

/** Returns the time from which a pending change can be confirmed. Returns `null` if it can be confirmed now, or if no change is pending. */
export async function findEarliestEmailConfirmationTime(tx: Tx, citizenId: string, email: string, now: Date) {
  const waiting = await tx
    .selectFrom('email_changes')
    .select('confirm_from')
    .where('citizen_id', '=', citizenId)
    .where('email', '=', email)
    .where('confirm_from', '>', now)
    .executeTakeFirst();
  return waiting?.confirm_from ?? null;
}

/** Returns `false` if the change was replaced, does not exist, or cannot be confirmed yet. */
export async function consumePendingEmailChange(tx: Tx, citizenId: string, email: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('email_changes')
    .where('citizen_id', '=', citizenId)
    .where('email', '=', email)
    .where(({ eb, or }) => or([eb('confirm_from', 'is', null), eb('confirm_from', '<=', now)]))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function discardPendingEmailChange(tx: Tx, citizenId: string, now: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('citizen_id', '=', citizenId).execute();
  for (const purpose of ['email-change', 'email-code'] as const) await voidLinkTokens(tx, purpose, citizenId, now);
}
