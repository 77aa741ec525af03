import { cardChallenge, walletChallenge } from './card-and-wallet.ts';
import { type SignInChallenge, type SignInState, lacksSecondFactor } from './challenge.ts';
import { usernameChallenge } from './username.ts';
import {
  institutionalEmailChallenge,
  institutionalCodeChallenge,
  mailedCodeChallenge,
  verifyRecoveryCode,
  passwordChallenge,
  totpChallenge,
} from './password-and-code-challenges.ts';
import { passkeySecondFactorChallenge, passkeySignInChallenge } from './passkey.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import {
  identityCardChallengeAlias,
  challengeNames,
  challengeAliases,
} from '../../../trust/identity/challenge-names.ts';
import { credentialAttemptLimits } from '../../../trust/credentials/index.ts';

/**
 * Requests a recovery code if mailed codes are the only second factor and the password was reset with a mailed link. The mailbox would otherwise
 * prove both factors (ASVS 6.4.3). Citizens without a recovery code sign in with another method, or prove their identity to an agent.
 */
const otherFactorChallenge: SignInChallenge = {
  name: challengeNames.otherFactor,
  isNeeded: lacksSecondFactor,
  answer: {
    limit: credentialAttemptLimits.secondFactor,
    async verifyAnswer(dependencies, request, record, count) {
      if (!('recovery' in request.body.data_challenge))
        throw new OperationError(400, 'paso_desconocido', { field: 'challenge' });
      return verifyRecoveryCode(dependencies, request, record, count);
    },
  },
};

/** All challenges in order of precedence: those that start a sign-in, then those of later steps. */
const orderedChallenges: readonly SignInChallenge[] = [
  usernameChallenge,
  passkeySignInChallenge,
  cardChallenge,
  walletChallenge,
  passwordChallenge,
  institutionalEmailChallenge,
  institutionalCodeChallenge,
  passkeySecondFactorChallenge,
  totpChallenge,
  mailedCodeChallenge,
  otherFactorChallenge,
];

export function selectNextChallenge(state: SignInState): SignInChallenge | undefined {
  return orderedChallenges.find(({ isNeeded }) => isNeeded?.(state));
}

/** Challenge names by the alias that the specification uses in paths (sections 4.2 and 7.3 of the specification). */
const challengeNamesByAlias: Readonly<Record<string, string>> = {
  [challengeAliases.password]: challengeNames.password,
  [challengeAliases.totp]: challengeNames.totp,
  [challengeAliases.mailedCode]: challengeNames.mailedCode,
  [identityCardChallengeAlias]: challengeNames.card,
};

export function findChallengeByName(name: string): SignInChallenge | undefined {
  return orderedChallenges.find((challenge) => challenge.name === (challengeNamesByAlias[name] ?? name));
}
