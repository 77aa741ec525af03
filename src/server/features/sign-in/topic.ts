import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Logos } from '../../trust/federation/clients/logos.ts';
import type { Config } from '../../platform/config/config.ts';
import type { LogOutNeeds } from '../../trust/federation/broker/log-out.ts';
import type { Tokens } from '../../trust/sessions/tokens.ts';
import { answerChallenge, type AnswerNeeds } from './answer-challenge.ts';
import { answerProviderLink, getProviderLink } from './link-provider.ts';
import type { ByProviderNeeds } from './by-provider.ts';
import { getIdentityProviders } from './get-identity-providers.ts';
import { getPendingSignIn } from './get-pending-sign-in.ts';
import { getWalletState } from './get-wallet-state.ts';
import { logout } from './logout.ts';
import { obtainToken } from './obtain-token.ts';
import { refreshToken } from './refresh-token.ts';
import { resendRecoveryCode } from './resend-recovery-code.ts';

export const topic = { handlers: signInHandlers, texts } as const satisfies Topic;

interface Needs extends AnswerNeeds, LogOutNeeds, ByProviderNeeds {
  readonly config: Config;
  readonly logos: Logos;
  readonly tokens: Tokens;
}

function signInHandlers(needs: Needs) {
  return {
    answerChallenge: answerChallenge(needs),
    getPendingSignIn: getPendingSignIn(needs),
    resendRecoveryCode: resendRecoveryCode(needs),
    obtainToken: obtainToken(needs),
    refreshToken: refreshToken(needs),
    logout: logout(needs),
    getIdentityProviders: getIdentityProviders(needs),
    getProviderLink: getProviderLink(needs),
    answerProviderLink: answerProviderLink(needs),
    getWalletState: getWalletState(needs),
  } satisfies Partial<Handlers>;
}
