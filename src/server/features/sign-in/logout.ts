import type { Handler } from '../parts.ts';
import { allowedOrigins, safeRedirect } from '../../../contract/redirect.ts';
import { mostQuickFrames } from '../../trust/federation/broker/saml-operations.ts';
import { logOut } from '../../trust/federation/broker/log-out.ts';
import { samlBrowserLifeS } from '../../trust/federation/saml/names.ts';

/** Ends the session of the cookie with all its tokens, and notifies its applications. The response is the same without a session. */
export const logout: Handler<'logout'> = async (dependencies, { body, cookies, origin }) => {
  const { baseUrl } = dependencies.config;
  const target = withState(safeRedirect(body.redirect_uri, allowedOrigins(baseUrl, dependencies.config)), body.state);
  const { frames, unreachable, through } = await logOut(dependencies, {
    which: { secret: cookies.session },
    origin,
    end: { kind: 'path', path: target },
    browser: cookies.saml,
  });
  return {
    body: {
      logout_urls: through === null ? [...frames] : [], // otherwise the page in between loads them
      location: through?.path ?? target,
      wait_longer: through === null && frames.length > mostQuickFrames,
      unreachable: [...unreachable],
    },
    cookies: {
      session: null,
      challenge: null,
      ...(through !== null && { saml: { value: through.browser, maxAge: samlBrowserLifeS } }),
    },
  };
};

function withState(location: string, state: string | null | undefined): string {
  if (state === null || state === undefined || location === '/') return location;
  return `${location}${location.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}
