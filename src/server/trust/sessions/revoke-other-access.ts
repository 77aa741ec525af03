import { voidCodes } from '../credentials/mailed-codes.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { closeChallenges } from './challenge-record.ts';
import { revokeSessions } from './revoke-sessions.ts';

/**
 * Revokes all access that was granted before a change of the account, except the session `keptSessionId`: pending
 * sign-ins, mailed codes, sessions, and all records of the OIDC provider, including refresh tokens that outlive
 * sessions. Consents stay, so an application of the remaining session gets a new grant without a prompt.
 */
export async function revokeOtherAccess(
  tx: Tx,
  citizenId: string,
  now: Date,
  keptSessionId: string | null,
): Promise<void> {
  await closeChallenges(tx, citizenId, now);
  await voidCodes(tx, citizenId);
  await revokeSessions(tx, citizenId, now, keptSessionId);
  const kept =
    keptSessionId === null
      ? undefined
      : await tx.selectFrom('broker_sessions').select('oidc_uid').where('id', '=', keptSessionId).executeTakeFirst();
  await tx
    .deleteFrom('oidc_records')
    .where('account_id', '=', citizenId)
    .where((where) =>
      where.or([where('model', '!=', 'Session'), where('uid', 'is distinct from', kept?.oidc_uid ?? null)]),
    )
    .execute();
}
