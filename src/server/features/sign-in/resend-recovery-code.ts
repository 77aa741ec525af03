import { findCitizen } from '../../trust/identity/citizens.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { expired, findChallenge } from '../../trust/sessions/challenge-record.ts';
import { countedDocument, knownDevice } from '../../trust/sessions/known-devices.ts';
import { mailStepCode } from './challenges/recovery-code.ts';
import { limits } from '../../trust/credentials/index.ts';
import type { Handler } from '../parts.ts';

/** Mails a new code to a sign-in that waits for one, and voids the previous one. */
export const resendRecoveryCode: Handler<'resendRecoveryCode'> = async (dependencies, { body, cookies, origin }) => {
  const { commands, clock, store, throttle } = dependencies;
  const record = await findChallenge(store, challengeNames.recoveryCode, body.token, clock.now());
  if (record === null) throw expired();
  const citizenId = record.citizen_id ?? '';
  const known = await knownDevice(store.db, { citizenId, cookie: cookies.device });
  const counted = { address: origin.address, document: countedDocument(record.document, known) };
  await throttle.admit(limits.mailedCode, counted, clock.now());
  await commands.run(origin, async (command) => {
    const citizen = await findCitizen(command.tx, citizenId);
    if (citizen === null) throw expired();
    const device = await knownDevice(command.tx, { citizenId: citizen.id, cookie: cookies.device });
    await mailStepCode(command, dependencies, { record, citizen, device });
  });
  return { body: {} };
};
