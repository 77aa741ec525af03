import { card } from './card.ts';
import { type Challenge, type Situation, lacksSecondFactor } from './challenge.ts';
import { institutionalEmail } from './institutional-email.ts';
import { passkey } from './passkey.ts';
import { passkeySignIn } from './passkey-sign-in.ts';
import { password } from './password.ts';
import { institutionalCode, recoveryCode } from './recovery-code.ts';
import { totp } from './totp.ts';
import { username } from './username.ts';
import { wallet } from './wallet.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { proveRecovery } from './recovery.ts';

/**
 * A recovery code, if mailed codes are the only second factor and the password was reset through the same mailbox. The reset has already proven the
 * mailbox (ASVS 6.4.3). Citizens without a code sign in by other means, or prove their identity to an agent.
 */
const otherFactor: Challenge = {
  name: challengeNames.otherFactor,
  due: lacksSecondFactor,
  async prove(needs, request, record) {
    if (!('recovery' in request.body.data_challenge))
      throw new OperationError(400, 'paso_desconocido', { field: 'challenge' });
    return proveRecovery(needs, request, record);
  },
};

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
