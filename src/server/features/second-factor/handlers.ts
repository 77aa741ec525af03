import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { activateEmailMethod } from './activate-email-method.ts';
import { createPasskey } from './create-passkey.ts';
import { createPasskeyOptions } from './create-passkey-options.ts';
import { createRecoveryCodes } from './create-recovery-codes.ts';
import { createTotp } from './create-totp.ts';
import { deleteMethod } from './delete-method.ts';
import { deletePasskey } from './delete-passkey.ts';
import { getMfaStatus } from './get-mfa-status.ts';
import { renamePasskey } from './rename-passkey.ts';
import { verifyEmailMethod } from './verify-email-method.ts';
import { verifyTotp } from './verify-totp.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Config;
  readonly vault: Vault;
}

export function secondFactorHandlers(needs: Needs) {
  return {
    getMfaStatus: getMfaStatus(needs),
    createTotp: createTotp(needs),
    verifyTotp: verifyTotp(needs),
    deleteTotp: deleteMethod(needs, 'totp'),
    activateEmailMethod: activateEmailMethod(needs),
    verifyEmailMethod: verifyEmailMethod(needs),
    deleteEmailMethod: deleteMethod(needs, 'email'),
    createRecoveryCodes: createRecoveryCodes(needs),
    createPasskeyOptions: createPasskeyOptions(needs),
    createPasskey: createPasskey(needs),
    renamePasskey: renamePasskey(needs),
    deletePasskey: deletePasskey(needs),
  } satisfies Partial<Handlers>;
}
