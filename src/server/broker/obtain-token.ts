import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { sessionOfCookie } from './sessions.ts';

/** A bearer token for the session of the cookie. */
export function obtainToken({ store, tokens, clock }: Parts): Handler<'obtainToken'> {
  return async ({ cookies }) => {
    const session = cookies.session === undefined ? null : await sessionOfCookie(store.db, cookies.session, clock.now());
    if (session === null) throw new CallError(401, 'no_autenticado');
    return { body: { token: await tokens.issue(session) } };
  };
}
