import { pages } from '../../contract/pages.ts';
import type { Route } from '../../engine/core/manifest.ts';
import type { Portal } from '../portal.ts';
import { decodePath, href } from '../../contract/href.ts';

/**
 * Returns the redirect target of a page with `forceLogin=True`, or of a guest page if the user is signed in. A guest
 * page redirects to `redirectUrl`, which `Navigation` validates, otherwise to the agents' host or the home page
 * (section 2.2). Returns `null` if the page does not redirect. An authorization request never redirects, because it may
 * require another sign-in or a higher assurance level.
 */
export function findPageRedirect(
  { access, path }: Route,
  location: Pick<Location, 'pathname' | 'search'>,
  signedIn: boolean,
  { definitions, page: { config } }: Pick<Portal, 'definitions' | 'page'>,
): string | null {
  const guest = access === 'guest';
  const forced = path === pages.logout ? null : buildForceLoginRedirect(location, guest);
  if (forced !== null || !guest || !signedIn) return forced;
  const query = new URLSearchParams(location.search);
  if (query.has('process_state')) return null;
  const target = query.get('redirectUrl');
  // A guest page as the target would redirect again. If the target is the current page, React would not even re-render
  // the page.
  if (target !== null)
    return definitions.routeAt(target.replace(/[?#].*$/, ''))?.access === 'guest' ? pages.home : target;
  return query.get('agnt') === '1' && config.agentsHost !== '' ? config.agentsHost : pages.home;
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
  if (query.get('forceLogin') !== 'True' || pathname === pages.samlLogout) return null;
  query.delete('forceLogin');
  const back = pathname + (query.size > 0 ? `?${query}` : '');
  return href(pages.logout, {
    redirect_uri: guest ? back : href(pages.login, { redirectUrl: decodePath(pathname) + back.slice(pathname.length) }),
  });
}
