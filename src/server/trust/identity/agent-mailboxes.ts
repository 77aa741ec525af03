import type { Config } from '../../platform/config/config.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { challengeNames } from './challenge-names.ts';

/**
 * Whether the sign-in resists phishing: a passkey signs for one origin, and the identity card for one TLS handshake, so a phishing page cannot relay
 * the sign-in.
 */
export function isPhishingResistant(amr: readonly string[]): boolean {
  return amr.includes(challengeNames.passkey) || amr.includes(challengeNames.card);
}

/** Returns how an agent must prove the identity: with a passkey, except that on a loopback server an account without a passkey uses the password. */
export function selectAgentProofMethod({ loopback }: Pick<Config, 'loopback'>, hasPasskey: boolean) {
  return loopback && !hasPasskey ? 'password' : 'passkey';
}

export async function findAgentMailbox(db: DatabaseStore['db'] | Tx, citizenId: string): Promise<string | null> {
  const row = await db
    .selectFrom('agent_mailboxes')
    .select('email')
    .where('citizen_id', '=', citizenId)
    .executeTakeFirst();
  return row?.email ?? null;
}

/** On a loopback server, an account without a bound mailbox may use any mailbox that is not bound to another agent. */
export async function canReceiveAgentCode(
  tx: Tx,
  { loopback }: Pick<Config, 'loopback'>,
  { citizenId, mailbox }: { readonly citizenId: string; readonly mailbox: string },
): Promise<boolean> {
  const rows = await tx
    .selectFrom('agent_mailboxes')
    .select(['citizen_id', 'email'])
    .where((where) => where.or([where('citizen_id', '=', citizenId), where('email', '=', mailbox)]))
    .execute();
  return rows.length === 0
    ? loopback
    : rows.every(({ citizen_id, email }) => citizen_id === citizenId && email === mailbox);
}

/** Returns `false` if the mailbox is bound to another agent. */
export async function bindAgentMailbox(tx: Tx, citizenId: string, email: string, now: Date): Promise<boolean> {
  const owner = await tx
    .selectFrom('agent_mailboxes')
    .select('citizen_id')
    .where('email', '=', email)
    .executeTakeFirst();
  if (owner !== undefined && owner.citizen_id !== citizenId) return false;
  await tx
    .insertInto('agent_mailboxes')
    .values({ citizen_id: citizenId, email, bound_at: now })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet({ email, bound_at: now }))
    .execute();
  return true;
}

export async function releaseAgentMailbox(tx: Tx, citizenId: string): Promise<void> {
  await tx.deleteFrom('agent_mailboxes').where('citizen_id', '=', citizenId).execute();
}
