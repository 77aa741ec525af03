import type { Handler } from '../../platform/base/operation-request.ts';
import { walletState } from '../../trust/federation/wallet/receive-answer.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import { findChallenge } from '../../trust/sessions/challenge-record.ts';
import type { Parts } from '../parts.ts';

/** Returns the state of a wallet request to the browser that started it. For any other browser it is over. */
export function getWalletState({ store, clock }: Parts): Handler<'getWalletState'> {
  return async ({ body, cookies }) => {
    const now = clock.now();
    const record = await findChallenge(store, challengeNames.wallet, body.token, now);
    const own = record !== null && cookies.challenge !== undefined && record.browser === hashSecret(cookies.challenge);
    return { body: { state: own ? await walletState(store, record.hash, now) : 'over' } };
  };
}
