import { decodeUrlPath, buildHref } from '../../contract/build-href.ts';
import type { SessionEndReason } from '../../domain/root-store.ts';
import { pagePaths } from '../../contract/page-paths.ts';
import type { TokenClaims } from '../../domain/stored-state.ts';

export function buildLogoutUrl(
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
  ended: SessionEndReason,
): string {
  const page =
    ended === 'blocked'
      ? buildHref(pagePaths.error, { errorCode: 'BLOCKED_ACCOUNT' })
      : buildHref(pagePaths.sessionEnded, { redirectUrl: decodeUrlPath(pathname) + search });
  return buildHref(pagePaths.logout, { redirect_uri: page });
}

export function readSessionEndTime(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
