import { pages } from '../../contract/pages.ts';
import type { Route } from '../../engine/core/manifest.ts';
import type { Portal } from '../portal.ts';
import { forcedLogin } from './forced-login.ts';

/**
 * Redirect target of a page that forces a new sign-in, or of a guest page if the visitor is signed in: `redirectUrl`, which the navigation validates,
 * or the agents' host or the home page (section 2.2). Returns `null` if the page stays, as for an authorization request, which may need another
 * sign-in or a higher level.
 */
export function awayFrom(
  { access, path }: Route,
  location: Pick<Location, 'pathname' | 'search'>,
  signedIn: boolean,
  { definitions, page: { config } }: Pick<Portal, 'definitions' | 'page'>,
): string | null {
  const guest = access === 'guest';
  const forced = path === pages.logout ? null : forcedLogin(location, guest);
  if (forced !== null || !guest || !signedIn) return forced;
  const query = new URLSearchParams(location.search);
  if (query.has('process_state')) return null;
  const target = query.get('redirectUrl');
  // A guest page as the target would redirect again, or not re-render if it is the current one.
  if (target !== null)
    return definitions.routeAt(target.replace(/[?#].*$/, ''))?.access === 'guest' ? pages.home : target;
  return query.get('agnt') === '1' && config.agentsHost !== '' ? config.agentsHost : pages.home;
}
