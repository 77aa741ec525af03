import type { Throttle } from '../../trust/abuse/throttle.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Passwords } from '../../trust/credentials/passwords.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { checkPasswordReset } from './check-password-reset.ts';
import { confirmPasswordReset } from './confirm-password-reset.ts';
import { requestPasswordReset } from './request-password-reset.ts';
import { updatePassword } from './update-password.ts';
import { verifyPassword } from './verify-password.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
}

export function passwordHandlers(needs: Needs) {
  return {
    verifyPassword: verifyPassword(needs),
    updatePassword: updatePassword(needs),
    changePassword: updatePassword(needs),
    requestPasswordReset: requestPasswordReset(needs),
    checkPasswordReset: checkPasswordReset(needs),
    confirmPasswordReset: confirmPasswordReset(needs),
  } satisfies Partial<Handlers>;
}
