import { card, wallet } from './proven-elsewhere.ts';
import { type Challenge, type SignInState, lacksSecondFactor } from './challenge.ts';
import { username } from './username.ts';
import { institutionalEmail, institutionalCode, mailedCode, proveRecovery, password, totp } from './typed.ts';
import { passkey, passkeySignIn } from './passkey.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import { cardType, challengeNames, challengeAliases } from '../../../trust/identity/names.ts';
import { credentialLimits } from '../../../trust/credentials/index.ts';

/**
 * Asks for a recovery code, if mailed codes are the only second factor and the password was reset through the same mailbox. The reset has already
 * proven the mailbox (ASVS 6.4.3). Citizens without a recovery code sign in with another method, or prove their identity to an agent.
 */
const otherFactor: Challenge = {
  name: challengeNames.otherFactor,
  due: lacksSecondFactor,
  answer: {
    limit: credentialLimits.secondFactor,
    async prove(dependencies, request, record, count) {
      if (!('recovery' in request.body.data_challenge))
        throw new OperationError(400, 'paso_desconocido', { field: 'challenge' });
      return proveRecovery(dependencies, request, record, count);
    },
  },
};

/** All challenges in order: those that open a sign-in, then those that a sign-in can wait for. */
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
  mailedCode,
  otherFactor,
];

export function selectNextChallenge(situation: SignInState): Challenge | undefined {
  return challenges.find(({ due }) => due?.(situation));
}

/** Names of challenges in the paths of the specification (sections 4.2 and 7.3), with our names for them. */
const aliases: Readonly<Record<string, string>> = {
  [challengeAliases.password]: challengeNames.password,
  [challengeAliases.totp]: challengeNames.totp,
  [challengeAliases.mailedCode]: challengeNames.mailedCode,
  [cardType]: challengeNames.card,
};

export function findChallengeByName(name: string): Challenge | undefined {
  return challenges.find((challenge) => challenge.name === (aliases[name] ?? name));
}
