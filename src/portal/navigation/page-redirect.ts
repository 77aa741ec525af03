import { pagePaths } from '../../contract/page-paths.ts';
import type { PageRoute } from '../../engine/core/definitions-manifest.ts';
import type { Portal } from '../portal.ts';
import { decodeUrlPath, buildHref } from '../../contract/build-href.ts';

/**
 * Returns the redirect target of a page with `forceLogin=True`, or of a guest page if the user is signed in. A guest
 * page redirects to `redirectUrl`, which `Navigation` validates, otherwise to the agents' host or the home page
 * (section 2.2 of the specification). Returns `null` if the page does not redirect. An authorization request never
 * redirects, because it may require another sign-in or a higher assurance level.
 */
export function findPageRedirect(
  { access, path }: PageRoute,
  location: Pick<Location, 'pathname' | 'search'>,
  signedIn: boolean,
  { definitions, config }: Pick<Portal, 'definitions' | 'config'>,
): string | null {
  const guest = access === 'guest';
  const forced = path === pagePaths.logout ? null : buildForceLoginRedirect(location, guest);
  if (forced !== null || !guest || !signedIn) return forced;
  const query = new URLSearchParams(location.search);
  if (query.has('process_state')) return null;
  const target = query.get('redirectUrl');
  // Replaces a guest page as the target by the home page, because a guest page would redirect again. If the target is
  // the current page, React would not even re-render it.
  if (target !== null)
    return definitions.resolveRoute(target.replace(/[?#].*$/, ''))?.access === 'guest' ? pagePaths.home : target;
  return query.get('agnt') === '1' && config.agentsHost !== '' ? config.agentsHost : pagePaths.home;
}

/**
 * Returns the redirect target of a page with `forceLogin=True`: the logout, then the sign-in, which returns to the page
 * without this parameter. A guest page needs no sign-in, so the logout returns to it. Returns `null` without this
 * parameter, and for the SAML logout, which handles the parameter itself.
 */
export function buildForceLoginRedirect(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  guest: boolean,
): string | null {
  const query = new URLSearchParams(search);
  if (query.get('forceLogin') !== 'True' || pathname === pagePaths.samlLogout) return null;
  query.delete('forceLogin');
  const back = pathname + (query.size > 0 ? `?${query}` : '');
  return buildHref(pagePaths.logout, {
    redirect_uri: guest
      ? back
      : buildHref(pagePaths.login, { redirectUrl: decodeUrlPath(pathname) + back.slice(pathname.length) }),
  });
}
