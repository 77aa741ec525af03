import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { limits } from './limits.ts';
import { mails } from './mails/mails.ts';
import type { Throttle } from '../../trust/abuse/throttle.ts';
import type { Handlers, Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Passwords } from '../../trust/credentials/passwords.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { updatePassword } from './update-password.ts';
import { verifyPassword } from './verify-password.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';

export const topic = { handlers: passwordHandlers, texts, limits, mails } as const satisfies Topic;

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
}

function passwordHandlers(needs: Needs) {
  return {
    verifyPassword: verifyPassword(needs),
    updatePassword: updatePassword(needs),
    changePassword: updatePassword(needs),
    requestPasswordReset: requestPasswordReset(needs),
    checkPasswordReset: checkPasswordReset(needs),
    confirmPasswordReset: confirmPasswordReset(needs),
  } satisfies Partial<Handlers>;
}

/** Checks whether a mailed link can still set a new password. It does not use up the link: mail scanners open links too. */
function checkPasswordReset({ store, clock }: { store: Store; clock: Clock }): Handler<'checkPasswordReset'> {
  return async ({ body }) => {
    const link = await findLiveToken(store.db, 'reset', body.token, clock.now());
    const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
    if (link === null || citizen?.email !== link.subject)
      throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: {} };
  };
}
