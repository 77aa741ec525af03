import type { Kysely } from 'kysely';
import { voidTokens } from './link-tokens.ts';
import type { Tx } from '../database/open-store.ts';
import type { Database } from '../database/schema.ts';

/** The new address that a citizen has asked for and nobody has confirmed yet; null when there is none. */
export async function pendingEmail(db: Kysely<Database>, citizenId: string): Promise<string | null> {
  const change = await db
    .selectFrom('email_changes')
    .select('email')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return change?.email ?? null;
}

/** Notes a change of address that waits for its confirmation, in place of the one before, whose link and code are useless then. */
export async function storeEmailChange(tx: Tx, citizenId: string, email: string, now: Date): Promise<void> {
  await dropEmailChange(tx, citizenId, now);
  await tx.insertInto('email_changes').values({ citizen_id: citizenId, email, requested_at: now }).execute();
}

/** Takes the change to that address out, to be made; false when another one has taken its place, or none waits. */
export async function takeEmailChange(tx: Tx, citizenId: string, email: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('email_changes')
    .where('citizen_id', '=', citizenId)
    .where('email', '=', email)
    .returning('citizen_id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Gives up the change of address that a citizen has asked for, if any: its link and its code are useless then. */
export async function dropEmailChange(tx: Tx, citizenId: string, now: Date): Promise<void> {
  await tx.deleteFrom('email_changes').where('citizen_id', '=', citizenId).execute();
  for (const purpose of ['email-change', 'email-code'] as const) await voidTokens(tx, purpose, citizenId, now);
}
