import { pages } from '../../contract/pages.ts';
import type { Route } from '../../engine/core/manifest.ts';
import type { Portal } from '../portal.ts';
import { forcedLogin } from './forced-login.ts';

/**
 * Where a page leads that asks for a new sign-in, and a page for guests whose visitor is signed in: to `redirectUrl`, which the
 * navigation checks, else agents to their host and everybody else home (section 2.2). An application's request stays: it wants
 * another sign-in, or more than the present one proves. The logout ends the session as it is.
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
  // A page for guests would lead away again, and the same one would not be drawn anew.
  if (target !== null)
    return definitions.routeAt(target.replace(/[?#].*$/, ''))?.access === 'guest' ? pages.home : target;
  return query.get('agnt') === '1' && config.agentsHost !== '' ? config.agentsHost : pages.home;
}
