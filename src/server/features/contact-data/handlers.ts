import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { approveEmailChange } from './approve-email-change.ts';
import { getEmail } from './get-email.ts';
import { getPendingEmail } from './get-pending-email.ts';
import { updateEmail } from './update-email.ts';
import { updatePhone } from './update-phone.ts';

interface Needs {
  readonly commands: Commands;
  readonly config: Config;
  readonly store: Store;
}

export function contactDataHandlers(needs: Needs) {
  return {
    getEmail: getEmail(needs),
    getPendingEmail: getPendingEmail(needs),
    updateEmail: updateEmail(needs),
    approveEmailChange: approveEmailChange(needs),
    updatePhone: updatePhone(needs),
  } satisfies Partial<Handlers>;
}
