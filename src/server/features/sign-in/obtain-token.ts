import type { Handler } from '../../platform/base/operation-request.ts';
import { noSession, sessionOfCookie } from '../../trust/sessions/sessions.ts';
import type { Parts } from '../parts.ts';

export function obtainToken(dependencies: Parts): Handler<'obtainToken'> {
  const { clock, store, tokens } = dependencies;
  return async ({ cookies }) => {
    const session =
      cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
    if (session === null) throw await noSession(store.db, cookies.session, clock.now());
    return { body: { token: await tokens.issue(session) } };
  };
}
