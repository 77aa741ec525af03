import { decodePath, href } from '../../contract/href.ts';
import { pages } from '../../contract/pages.ts';

/**
 * Where a page that asks for a new sign-in by `forceLogin=True` goes first: to the logout, which empties the storage, and from there to
 * the sign-in that leads back to it without that parameter. A page for guests is itself what comes after. Null where it does not ask, and for the
 * page of a logout on its way, which leads to a new sign-in itself.
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
