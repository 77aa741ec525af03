import { voidMailedCodes } from '../credentials/mailed-codes.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { endPendingSignIns } from './sign-in-record.ts';
import { revokeSessionsOfCitizen } from './revoke-sessions.ts';

/**
 * Revokes pending sign-ins, mailed codes, sessions, and all records of the OIDC provider, including refresh tokens that outlive sessions. Consents
 * stay, so an application of the remaining session gets a new grant without a prompt.
 */
export async function revokeOtherAccess(tx: Tx, citizenId: string, now: Date, keptSessionId: string | null) {
  await endPendingSignIns(tx, citizenId, now);
  await voidMailedCodes(tx, citizenId);
  await revokeSessionsOfCitizen(tx, citizenId, now, keptSessionId);
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
