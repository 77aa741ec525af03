import type { TokenClaims } from '../../domain/stored-state.ts';

/** Returns the absolute end of a session in ms since 1970, or `Infinity` if it is unknown. Returns `null` without a session. */
export function sessionEnd(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
