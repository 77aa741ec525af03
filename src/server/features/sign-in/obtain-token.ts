import type { Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Tokens } from '../../trust/sessions/tokens.ts';
import { noSession, sessionOfCookie } from '../../trust/sessions/sessions.ts';

interface Needs {
  readonly clock: Clock;
  readonly store: Store;
  readonly tokens: Tokens;
}

export function obtainToken(needs: Needs): Handler<'obtainToken'> {
  const { clock, store, tokens } = needs;
  return async ({ cookies }) => {
    const session =
      cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
    if (session === null) throw await noSession(store.db, cookies.session, clock.now());
    return { body: { token: await tokens.issue(session) } };
  };
}
