import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { noSession, sessionOfCookie } from '../sessions/sessions.ts';

/** A bearer token for the session of the cookie. */
export function obtainToken({ store, tokens, clock }: Parts): Handler<'obtainToken'> {
  return async ({ cookies }) => {
    const session =
      cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
    if (session === null) throw await noSession(store.db, cookies.session, clock.now());
    return { body: { token: await tokens.issue(session) } };
  };
}
