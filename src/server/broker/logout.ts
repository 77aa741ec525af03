import type { Handler } from '../call.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import { revokeSession } from './sessions.ts';

/** Ends the session of the cookie, and with it every token of it; without a session it answers the same. */
export function logout({ store, clock }: Parts): Handler<'logout'> {
  return async ({ cookies, address, requestId }) => {
    const secret = cookies.session;
    if (secret !== undefined) {
      await store.transaction(async (tx) => {
        const citizenId = await revokeSession(tx, secret, clock.now());
        if (citizenId !== null) await appendAudit(tx, { at: clock.now(), action: 'logout', citizenId, address, requestId });
      });
    }
    return {
      body: { logout_urls: [], location: '/', wait_longer: false },
      cookies: { session: null, challenge: null },
    };
  };
}
