import { walletState } from '../../trust/federation/wallet/receive-answer.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import { findChallenge } from '../../trust/sessions/challenge-record.ts';
import type { Handler } from '../parts.ts';

/** Returns the state of a wallet request to the browser that started it. For any other browser it is over. */
export const getWalletState: Handler<'getWalletState'> = async ({ store, clock }, { body, cookies }) => {
  const now = clock.now();
  const record = await findChallenge(store, challengeNames.wallet, body.token, now);
  const own = record !== null && cookies.challenge !== undefined && record.browser === hashSecret(cookies.challenge);
  return { body: { state: own ? await walletState(store, record.hash, now) : 'over' } };
};
