import { expired, findChallenge } from '../sessions/challenge-record.ts';
import { challengeNames } from '../identity/names.ts';
import { mailStepCode } from './challenges/recovery-code.ts';
import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { findCitizen } from '../identity/citizens.ts';

/** Mails a new code to a sign-in that waits for one; the code before it is void. */
export function resendRecoveryCode(parts: Parts): Handler<'resendRecoveryCode'> {
  const { store, clock, throttle } = parts;
  return async ({ body, address, language }) => {
    const record = await findChallenge(store, challengeNames.recoveryCode, body.token, clock.now());
    if (record === null) throw expired();
    await throttle.admit('mailedCode', { address, document: record.document }, clock.now());
    await store.transaction(async (tx) => {
      const citizen = await findCitizen(tx, record.citizen_id ?? '');
      if (citizen === null) throw expired();
      await mailStepCode(tx, parts, record, citizen, language);
    });
    return { body: {} };
  };
}
