import { decodePath, href } from '../../contract/href.ts';
import { pages } from '../../contract/pages.ts';

/**
 * Redirect target of a page with `forceLogin=True`: the logout, then the sign-in, which returns to the page without that parameter. Guest pages
 * follow the logout directly. Returns `null` without that parameter, and for the SAML logout, which handles it itself.
 */
export function forcedLogin(
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
