import type { TokenClaims } from '../../domain/stored-state.ts';

/** When a session ends whatever the citizen does, in ms since 1970; null: there is none. */
export function sessionEnd(claims: TokenClaims | null): number | null {
  return claims && (claims.end === undefined ? Infinity : claims.end * 1000);
}
