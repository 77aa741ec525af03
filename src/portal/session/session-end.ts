import type { TokenClaims } from '../../domain/stored-state.ts';

export function sessionEnd(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
