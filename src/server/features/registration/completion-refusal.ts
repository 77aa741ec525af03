import { isActive, type ActiveFactors } from '../../trust/credentials/second-factors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { levelOf, secondFactorNid } from '../../trust/identity/levels.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { isVouchedFor } from '../../trust/identity/session-level.ts';

interface Protection {
  readonly citizen: Pick<Citizen, 'level'>;
  readonly hasPassword: boolean;
  readonly factors: ActiveFactors;
}

interface Proven {
  readonly amr: readonly string[];
  readonly nid: number;
  /** When the password was given in the session. `null` if it was not. */
  readonly verifiedAt: Date | null;
}

/** Methods that prove a second factor, or both factors. */
const factorMethods: readonly string[] = [
  challengeNames.totp,
  challengeNames.recoveryCode,
  challengeNames.backupCode,
  challengeNames.passkey,
  challengeNames.card,
];

/**
 * Returns why a session may not set the e-mail and the first password of a record, or `null` if it may. `password`: the record has a password, which
 * was not given, and the session relies on somebody else's assertion of the identity. `sign-in`: the citizen must sign in differently, because the
 * session did not prove an existing second factor, or does not reach the level of a record without a password.
 */
export function completionRefusal(
  { citizen, hasPassword, factors }: Protection,
  { amr, nid, verifiedAt }: Proven,
): 'password' | 'sign-in' | null {
  const gavePassword = verifiedAt !== null || amr.includes(challengeNames.password);
  const gaveFactor = amr.some((method) => factorMethods.includes(method));
  if (hasPassword && !gavePassword && isVouchedFor(amr)) return 'password';
  if (!hasPassword && nid < levelOf(citizen).nid) return 'sign-in';
  if (isActive(factors) && !gaveFactor && !(gavePassword && nid >= secondFactorNid)) return 'sign-in';
  return null;
}
