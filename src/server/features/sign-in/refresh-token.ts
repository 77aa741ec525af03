import { constants } from '../../../contract/constants.ts';
import { noSession, seeSession, sessionOfCookie } from '../../trust/sessions/sessions.ts';
import type { Handler } from '../parts.ts';

/** Replaces a token by a new one for the same live session. Requires both the token and the session cookie. */
export const refreshToken: Handler<'refreshToken'> = async ({ clock, store, tokens }, { body, cookies }) => {
  const session = cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
  if (session === null || (await tokens.read(body.token, constants.tokenGraceS)) !== session.id)
    throw await noSession(store.db, cookies.session, clock.now());
  if (body.activo === true) await seeSession(store.db, session.id, clock.now());
  return { body: { token: await tokens.issue(session) } };
};
