import { card } from './card.ts';
import type { Challenge, Situation } from './challenge.ts';
import { institutionalEmail } from './institutional-email.ts';
import { otherFactor } from './other-factor.ts';
import { passkey } from './passkey.ts';
import { passkeySignIn } from './passkey-sign-in.ts';
import { password } from './password.ts';
import { institutionalCode, recoveryCode } from './recovery-code.ts';
import { totp } from './totp.ts';
import { username } from './username.ts';
import { wallet } from './wallet.ts';

/** The challenges of a sign-in in their order: what opens one, then what it waits for. */
const challenges: readonly Challenge[] = [
  username,
  passkeySignIn,
  card,
  wallet,
  password,
  institutionalEmail,
  institutionalCode,
  passkey,
  totp,
  recoveryCode,
  otherFactor,
];

/** The challenge that a sign-in waits for next, the first that is due; undefined when everything was proven. */
export function nextChallenge(situation: Situation): Challenge | undefined {
  return challenges.find(({ due }) => due?.(situation));
}

/** The challenge that an answer names; `undefined` if no challenge has that name. */
export function challengeNamed(name: string): Challenge | undefined {
  return challenges.find((challenge) => challenge.name === name || challenge.alias === name);
}
