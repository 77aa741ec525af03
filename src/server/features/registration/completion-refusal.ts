import { isActive, type ActiveFactors } from '../../trust/credentials/second-factors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { levelOf, secondFactorNid } from '../../trust/identity/levels.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { isVouchedFor } from '../../trust/identity/session-level.ts';

/** What protects a record that is to be completed. */
interface Protection {
  readonly citizen: Pick<Citizen, 'level'>;
  readonly hasPassword: boolean;
  readonly factors: ActiveFactors;
}

/** What a session has proven. */
interface Proven {
  readonly amr: readonly string[];
  readonly nid: number;
  /** When the password was given in the session; null: never. */
  readonly verifiedAt: Date | null;
}

/** Methods that prove a second factor, or two. */
const factorMethods: readonly string[] = [
  challengeNames.totp,
  challengeNames.recoveryCode,
  challengeNames.backupCode,
  challengeNames.passkey,
  challengeNames.card,
];

/**
 * Why a session may not set the e-mail and the first password of a record; null: it may. Credentials that exist are asked for: the password
 * (`password`), unless the citizen signed in without anybody's word for it; and the second factor. Without a password the session's level must reach the
 * record's (`sign-in`: by another sign-in alone).
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
