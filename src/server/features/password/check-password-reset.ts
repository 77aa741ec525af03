import type { Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';

/** Checks whether a mailed link can still set a new password. It does not use up the link: mail scanners open links too. */
export function checkPasswordReset({ store, clock }: { store: Store; clock: Clock }): Handler<'checkPasswordReset'> {
  return async ({ body }) => {
    const link = await findLiveToken(store.db, 'reset', body.token, clock.now());
    const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
    if (link === null || citizen?.email !== link.subject)
      throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: {} };
  };
}
