import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { answerChallenge } from './answer-challenge.ts';
import { answerProviderLink, getProviderLink } from './link-provider.ts';
import { getIdentityProviders } from './get-identity-providers.ts';
import { getPendingSignIn } from './get-pending-sign-in.ts';
import { getWalletState } from './get-wallet-state.ts';
import { logout } from './logout.ts';
import { obtainToken } from './obtain-token.ts';
import { refreshToken } from './refresh-token.ts';
import { resendRecoveryCode } from './resend-recovery-code.ts';

export const topic = {
  handlers: {
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
  },
  texts,
} as const satisfies Topic;
