import { isActive, type ActiveFactors } from '../../store/second-factors.ts';
import { factorsOf, type ChallengeRecord } from './challenge-record.ts';
import { challengeNames } from './names.ts';
import { isForAgent } from './recovery-code.ts';

/** What decides whether a step is due. */
interface Situation {
  readonly record: ChallengeRecord;
  readonly active: ActiveFactors;
  /** A code by e-mail is asked for in place of the app's. */
  readonly byMail: boolean;
}

/** The order of sign-in after the document: the first step that is due comes next, none ends it. */
const order: readonly { readonly step: string; readonly due: (situation: Situation) => boolean }[] = [
  { step: challengeNames.password, due: ({ record }) => !factorsOf(record).includes(challengeNames.password) },
  { step: challengeNames.institutionalEmail, due: ({ record }) => record.agent === '1' && record.institutional_email === null },
  { step: challengeNames.recoveryCode, due: ({ record }) => isForAgent(record) },
  { step: challengeNames.totp, due: (situation) => wantsSecondFactor(situation) && situation.active.totp !== null && !situation.byMail },
  { step: challengeNames.recoveryCode, due: wantsSecondFactor },
];

/** The step that a sign-in waits for next; null when everything was proven. */
export function nextStep(situation: Situation): string | null {
  return order.find(({ due }) => due(situation))?.step ?? null;
}

function wantsSecondFactor({ record, active }: Situation): boolean {
  const proven = factorsOf(record);
  return isActive(active) && !proven.includes(challengeNames.totp) && !proven.includes(challengeNames.recoveryCode);
}
