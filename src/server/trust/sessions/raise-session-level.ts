import type { OperationName } from '../../../contract/contract.ts';
import type { UntypedOperationRequest, OperationReply } from '../../platform/base/operation-request.ts';
import { hashSecret, generateSecret } from '../../platform/keys/random-secrets.ts';
import { getIdentityLevel } from '../identity/assurance-levels.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findProviderAssertedLevel, computeSessionLevel } from '../identity/session-level.ts';

type Proving = Pick<UntypedOperationRequest, 'caller' | 'cookies'>;

/**
 * Gives the session a new secret, so that a copy of the old cookie does not gain the proof (ASVS 7.2.4). Bearer tokens of the old secret become
 * invalid, except the token of the request. A request without the cookie, for instance to an API on another host, does not change the secret.
 */
export async function renewSessionSecret(
  tx: Tx,
  { caller, cookies: { session: cookie } }: Proving,
  now: Date,
): Promise<Pick<OperationReply<OperationName>, 'cookies'>> {
  if (cookie === undefined || caller === null) return {};
  const secret = generateSecret();
  const renewed = await tx
    .updateTable('broker_sessions')
    .set({ hash: hashSecret(secret), renewed_by: caller.tokenId ?? null })
    .where('id', '=', caller.sessionId)
    .where('hash', '=', hashSecret(cookie))
    .returning('expires_at')
    .executeTakeFirst();
  if (renewed === undefined) return {};
  const maxAge = Math.ceil((renewed.expires_at.getTime() - now.getTime()) / 1000);
  return { cookies: { session: { value: secret, maxAge } } };
}

/**
 * Never lowers the level, because a provider may have asserted a higher level than the account has. Until the password has been
 * entered, a session that started at a provider gets at most the level that the provider asserted. Otherwise, somebody else who signed in there could
 * set up a second factor and reach the level of the account.
 */
export async function raiseSessionLevel(
  tx: Tx,
  request: Proving,
  { method, citizen, now }: { readonly citizen: Citizen; readonly method?: string; readonly now: Date },
): ReturnType<typeof renewSessionSecret> {
  const id = request.caller?.sessionId ?? '';
  const raised = await tx
    .selectFrom('broker_sessions')
    .select(['amr', 'nid', 'verified_at'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (raised === undefined) return {};
  const amr = [...new Set([...raised.amr.split(' '), ...(method === undefined ? [] : [method])])];
  const providerCap = raised.verified_at === null ? (findProviderAssertedLevel(amr) ?? Infinity) : Infinity;
  await tx
    .updateTable('broker_sessions')
    .set({
      amr: amr.join(' '),
      nid: Math.max(raised.nid, Math.min(providerCap, computeSessionLevel(getIdentityLevel(citizen).nid, amr))),
    })
    .where('id', '=', id)
    .execute();
  return renewSessionSecret(tx, request, now);
}
