import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { mails } from './mails/mails.ts';
import type { Throttle } from '../../trust/abuse/throttle.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Passwords } from '../../trust/credentials/passwords.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Registry } from '../../trust/identity/registry/registry.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { activateAccount } from './activate-account.ts';
import { completeRegistration } from './complete-registration.ts';
import { correctEmail } from './correct-email.ts';
import { registerCitizen } from './register-citizen.ts';
import { resendActivation } from './resend-activation.ts';
import { resendOwnActivation } from './resend-own-activation.ts';
import { resendPendingActivation } from './resend-pending-activation.ts';

export const topic = { handlers: registrationHandlers, texts, limits, mails } as const satisfies Topic;

interface Needs {
  readonly commands: Commands;
  readonly clock: Clock;
  readonly config: Config;
  readonly passwords: Passwords;
  readonly registry: Registry;
  readonly store: Store;
  readonly throttle: Throttle;
}

function registrationHandlers(needs: Needs) {
  return {
    registerCitizen: registerCitizen(needs),
    completeRegistration: completeRegistration(needs),
    correctEmail: correctEmail(needs),
    activateAccount: activateAccount(needs),
    resendActivation: resendActivation(needs),
    resendPendingActivation: resendPendingActivation(needs),
    resendOwnActivation: resendOwnActivation(needs),
  } satisfies Partial<Handlers>;
}
