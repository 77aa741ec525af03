import { decodePath, href } from '../../contract/href.ts';
import type { EndedSession } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import type { TokenClaims } from '../../domain/stored-state.ts';

export function sessionEnded({ pathname, search }: Pick<Location, 'pathname' | 'search'>, ended: EndedSession): string {
  const page =
    ended === 'blocked'
      ? href(pages.error, { errorCode: 'BLOCKED_ACCOUNT' })
      : href(pages.sessionEnded, { redirectUrl: decodePath(pathname) + search });
  return href(pages.logout, { redirect_uri: page });
}

export function sessionEnd(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
