import { allowedOrigins, safeRedirect } from '../../contract/redirect.ts';
import type { Handler } from '../base/call.ts';
import type { Config } from '../config/config.ts';
import { endSession, type EndSessionNeeds } from '../federation/oidc/end-session.ts';

/** With more frames than these the portal waits for the longer of its two times. */
const mostQuickFrames = 3;

/**
 * Ends the session of the cookie, and with it every token of it; then the applications of the session are told. Without a session
 * it answers the same.
 */
export function logout(needs: EndSessionNeeds & { readonly config: Config }): Handler<'logout'> {
  return async ({ body, cookies, origin }) => {
    const { frames, unreachable } = await endSession(needs, cookies.session, origin);
    return {
      body: {
        logout_urls: [...frames],
        location: withState(
          safeRedirect(body.redirect_uri, allowedOrigins(needs.config.baseUrl, needs.config)),
          body.state,
        ),
        wait_longer: frames.length > mostQuickFrames,
        unreachable: [...unreachable],
      },
      cookies: { session: null, challenge: null },
    };
  };
}

function withState(location: string, state: string | null | undefined): string {
  if (state === null || state === undefined || location === '/') return location;
  return `${location}${location.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
