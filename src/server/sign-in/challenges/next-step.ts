import { hasCode, isActive, type ActiveFactors } from '../../credentials/second-factors.ts';
import { factorsOf, type ChallengeRecord } from '../../sessions/challenge-record.ts';
import { challengeNames } from '../../identity/names.ts';
import { isForAgent } from './recovery-code.ts';

/** What decides whether a step is due. */
interface Situation {
  readonly record: ChallengeRecord;
  readonly active: ActiveFactors;
  /** A code by e-mail is asked for in place of the app's. */
  readonly byMail: boolean;
  /** Another method than a passkey is asked for, as far as one is set up. */
  readonly otherMethod: boolean;
}

/** The order of sign-in after the document: the first step that is due comes next, none ends it. */
const order: readonly { readonly step: string; readonly due: (situation: Situation) => boolean }[] = [
  {
    step: challengeNames.password,
    due: ({ record }) => !hasAny(record, [challengeNames.password, challengeNames.passkey]),
  },
  {
    step: challengeNames.institutionalEmail,
    due: ({ record }) => record.agent === '1' && record.institutional_email === null,
  },
  { step: challengeNames.recoveryCode, due: ({ record }) => isForAgent(record) },
  { step: challengeNames.passkey, due: (situation) => wantsSecondFactor(situation) && wantsPasskey(situation) },
  {
    step: challengeNames.totp,
    due: (situation) => wantsSecondFactor(situation) && situation.active.totp !== null && !situation.byMail,
  },
  { step: challengeNames.recoveryCode, due: wantsSecondFactor },
];

/** The step that a sign-in waits for next; null when everything was proven. */
export function nextStep(situation: Situation): string | null {
  return order.find(({ due }) => due(situation))?.step ?? null;
}

function wantsSecondFactor({ record, active }: Situation): boolean {
  return (
    isActive(active) && !hasAny(record, [challengeNames.totp, challengeNames.recoveryCode, challengeNames.passkey])
  );
}

/** Who has nothing but passkeys is never let past them by a code that was not set up. */
function wantsPasskey({ active, byMail, otherMethod }: Situation): boolean {
  return active.passkeys.length > 0 && !((byMail || otherMethod) && hasCode(active));
}

function hasAny(record: ChallengeRecord, names: readonly string[]): boolean {
  return factorsOf(record).some((factor) => names.includes(factor));
}
