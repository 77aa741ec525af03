import { href } from '../api/href.ts';
import { addresses } from './addresses.ts';

/** Where a page goes whose session has ended: through the logout to the page that says so, which leads back to this one after a new sign-in. */
export function sessionEnded({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return href(addresses.logout, { redirect_uri: href(addresses.sessionEnded, { redirectUrl: decodeURI(pathname) + search }) });
}
