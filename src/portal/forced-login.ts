import { href } from '../api/href.ts';
import { addresses } from './addresses.ts';

/**
 * Where a page that asks for a new sign-in by `forceLogin=True` goes first: to the logout, and from there back to itself
 * without that parameter; null where it does not ask.
 */
export function forcedLogin({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string | null {
  const query = new URLSearchParams(search);
  if (query.get('forceLogin') !== 'True') return null;
  query.delete('forceLogin');
  return href(addresses.logout, { redirect_uri: pathname + (query.size > 0 ? `?${query}` : '') });
}
