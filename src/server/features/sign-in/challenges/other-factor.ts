import { OperationError } from '../../../platform/base/errors.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { lacksSecondFactor, type Challenge } from './challenge.ts';
import { proveRecovery } from './recovery.ts';

/**
 * A recovery code, if mailed codes are the only second factor and the password was reset through the same mailbox. The reset has already proven the
 * mailbox (ASVS 6.4.3). Citizens without a code sign in by other means, or prove their identity to an agent.
 */
export const otherFactor: Challenge = {
  name: challengeNames.otherFactor,
  due: lacksSecondFactor,
  async prove(needs, request, record) {
    if (!('recovery' in request.body.data_challenge))
      throw new OperationError(400, 'paso_desconocido', { field: 'challenge' });
    return proveRecovery(needs, request, record);
  },
};
