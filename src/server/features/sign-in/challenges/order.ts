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

/** The challenges in order: those that open a sign-in, then those that it waits for. */
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

/** Returns the first challenge that is due. Returns `undefined` if everything was proven. */
export function nextChallenge(situation: Situation): Challenge | undefined {
  return challenges.find(({ due }) => due?.(situation));
}

/** Returns the challenge with that name or alias. Returns `undefined` if there is none. */
export function challengeNamed(name: string): Challenge | undefined {
  return challenges.find((challenge) => challenge.name === name || challenge.alias === name);
}
