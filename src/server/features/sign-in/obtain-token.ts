import { noSession, sessionOfCookie } from '../../trust/sessions/sessions.ts';
import type { Handler } from '../parts.ts';

export const obtainToken: Handler<'obtainToken'> = async ({ clock, store, tokens }, { cookies }) => {
  const session = cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
  if (session === null) throw await noSession(store.db, cookies.session, clock.now());
  return { body: { token: await tokens.issue(session) } };
};
