import type { Kysely } from 'kysely';
import { voidTokens } from './link-tokens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Database } from '../../platform/database/schema.ts';

/** The new address that a citizen has asked for and nobody has confirmed yet; null when there is none. */
export async function pendingEmail(db: Kysely<Database>, citizenId: string): Promise<string | null> {
  const change = await db
    .selectFrom('email_changes')
    .select('email')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return change?.email ?? null;
}

/**
 * Notes a change of address that waits for its confirmation, in place of the one before, whose link and code are useless then. `confirmFrom`: until
 * then the address before can object, and the new one is not confirmed.
 */
export async function storeEmailChange(
  tx: Tx,
  { citizenId, email, confirmFrom = null }: { citizenId: string; email: string; confirmFrom?: Date | null },
  now: Date,
): Promise<void> {
  await dropEmailChange(tx, citizenId, now);
  await tx
    .insertInto('email_changes')
    .values({ citizen_id: citizenId, email, requested_at: now, confirm_from: confirmFrom })
    .execute();
}

/** From when on the change to that address can be confirmed, where that is still to come. */
export async function confirmableFrom(tx: Tx, citizenId: string, email: string, now: Date): Promise<Date | null> {
  const waiting = await tx
    .selectFrom('email_changes')
    .select('confirm_from')
    .where('citizen_id', '=', citizenId)
    .where('email', '=', email)
    .where('confirm_from', '>', now)
    .executeTakeFirst();
  return waiting?.confirm_from ?? null;
}

/** Takes the change to that address out, to be made; false when another one has taken its place, none waits, or it is too early. */
export async function takeEmailChange(tx: Tx, citizenId: string, email: string, now: Date): Promise<boolean> {
  const taken = await tx
    .deleteFrom('email_changes')
    .where('citizen_id', '=', citizenId)
    .where('email', '=', email)
    .where(({ eb, or }) => or([eb('confirm_from', 'is', null), eb('confirm_from', '<=', now)]))
    .returning('citizen_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Gives up the change of address that a citizen has asked for, if any: its link and its code are useless then. */
export async function dropEmailChange(tx: Tx, citizenId: string, now: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('citizen_id', '=', citizenId).execute();
  for (const purpose of ['email-change', 'email-code'] as const) await voidTokens(tx, purpose, citizenId, now);
}
