import { decodePath, href } from '../../contract/href.ts';
import type { EndedSession } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';

/** Redirect target after the end of a session: the logout, then a page with a way back to this one. A blocked account gets an error page. */
export function sessionEnded({ pathname, search }: Pick<Location, 'pathname' | 'search'>, ended: EndedSession): string {
  const page =
    ended === 'blocked'
      ? href(pages.error, { errorCode: 'BLOCKED_ACCOUNT' })
      : href(pages.sessionEnded, { redirectUrl: decodePath(pathname) + search });
  return href(pages.logout, { redirect_uri: page });
}
