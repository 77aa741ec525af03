import type { Answer } from '../../contract/contract.ts';
import { isProven } from '../sessions/identity-proof.ts';
import type { Caller } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import type { Citizen } from '../identity/citizens.ts';
import { citizenAnswer } from '../identity/citizen-answer.ts';
import { emailToValidate } from '../contact-data/email-to-validate.ts';

/** A citizen as the portal is told: the record, the address that waits for validation, and what the session of who asks has proven. */
export async function citizenRecord(
  parts: Parts,
  citizen: Citizen,
  caller: Caller | null,
): Promise<Answer<'getCitizen'>> {
  const { db } = parts.store;
  return citizenAnswer(citizen, {
    pendingEmail: await emailToValidate(db, citizen),
    proven: await isProven(parts, db, caller?.sessionId ?? ''),
    sessionNid: caller?.nid ?? 0,
  });
}
