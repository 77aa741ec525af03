import { decodePath, href } from '../../contract/href.ts';
import type { SessionEndReason } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import type { TokenClaims } from '../../domain/stored-state.ts';

export function buildLogoutAddress(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  ended: SessionEndReason,
): string {
  const page =
    ended === 'blocked'
      ? href(pages.error, { errorCode: 'BLOCKED_ACCOUNT' })
      : href(pages.sessionEnded, { redirectUrl: decodePath(pathname) + search });
  return href(pages.logout, { redirect_uri: page });
}

export function readSessionEnd(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
