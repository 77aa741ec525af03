import { isActive, type ActiveFactors } from '../../store/second-factors.ts';
import { factorsOf, type ChallengeRecord } from './challenge-record.ts';
import { institutionalEmailChallenge } from './institutional-email.ts';
import { passwordChallenge } from './password.ts';
import { isForAgent, recoveryCodeChallenge } from './recovery-code.ts';
import { totpChallenge } from './totp.ts';

/** What decides whether a step is due. */
interface Situation {
  readonly record: ChallengeRecord;
  readonly active: ActiveFactors;
  /** A code by e-mail is asked for in place of the app's. */
  readonly byMail: boolean;
}

/** The order of sign-in after the document: the first step that is due comes next, none ends it. */
const order: readonly { readonly step: string; readonly due: (situation: Situation) => boolean }[] = [
  { step: passwordChallenge, due: ({ record }) => !factorsOf(record).includes(passwordChallenge) },
  { step: institutionalEmailChallenge, due: ({ record }) => record.agent === '1' && record.institutional_email === null },
  { step: recoveryCodeChallenge, due: ({ record }) => isForAgent(record) },
  { step: totpChallenge, due: (situation) => wantsSecondFactor(situation) && situation.active.totp !== null && !situation.byMail },
  { step: recoveryCodeChallenge, due: wantsSecondFactor },
];

/** The step that a sign-in waits for next; null when everything was proven. */
export function nextStep(situation: Situation): string | null {
  return order.find(({ due }) => due(situation))?.step ?? null;
}

function wantsSecondFactor({ record, active }: Situation): boolean {
  const proven = factorsOf(record);
  return isActive(active) && !proven.includes(totpChallenge) && !proven.includes(recoveryCodeChallenge);
}
