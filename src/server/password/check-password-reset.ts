import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { findCitizen } from '../identity/citizens.ts';
import { findLiveToken } from '../credentials/link-tokens.ts';

/** Tells whether the link of a mail can still set a new password, before anybody types one. It uses nothing up: mail scanners open links, too. */
export function checkPasswordReset({ store, clock, throttle }: Parts): Handler<'checkPasswordReset'> {
  return async ({ body, address }) => {
    await throttle.admit('confirmReset', { address }, clock.now());
    const link = await findLiveToken(store.db, 'reset', body.token, clock.now());
    const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
    if (link === null || citizen?.email !== link.subject)
      throw new CallError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: {} };
  };
}
