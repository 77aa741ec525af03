import type { Handler } from '../parts.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { answerChallenge } from './answer-challenge.ts';
import { answerProviderLink, getProviderLink } from './link-provider.ts';
import { getIdentityProviders } from './get-identity-providers.ts';
import { getWalletState } from './get-wallet-state.ts';
import { logout } from './logout.ts';
import { obtainToken } from './obtain-token.ts';
import { refreshToken } from './refresh-token.ts';
import { resendRecoveryCode } from './resend-recovery-code.ts';
import { readDocumentId } from '../../platform/base/document.ts';
import { findPending } from '../../trust/sessions/challenge-record.ts';

export const topic = {
  handlers: () => ({
    answerChallenge,
    resendRecoveryCode,
    obtainToken,
    getPendingSignIn,
    refreshToken,
    logout,
    getIdentityProviders,
    getProviderLink,
    answerProviderLink,
    getWalletState,
  }),
  texts,
} as const satisfies Topic;

/** Returns the document that this browser typed for its sign-in in progress, whether or not it has an account. Does not grant anything. */
export const getPendingSignIn: Handler<'getPendingSignIn'> = async ({ store, clock, interactions }, { cookies }) => {
  const pending = cookies.challenge === undefined ? null : await findPending(store, cookies.challenge, clock.now());
  if (pending === null) return { body: {} };
  const { process_state } = pending;
  if (process_state !== null && (await interactions.find(process_state)) === null) return { body: {} }; // cancelled
  const { country, type, number } = readDocumentId(pending.document);
  return { body: { pais_emisor: country, tipo_documento: type, username: number } };
};
