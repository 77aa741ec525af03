import { CallError } from '../../base/errors.ts';
import { hasRecoveryCode, useRecoveryCode } from '../../credentials/recovery-codes.ts';
import { checkForm } from './check-form.ts';
import { challengeNames } from '../../identity/names.ts';
import { noteFailure, type Prove } from './proof.ts';

/** One of the ten codes that the citizen keeps for the day without the app or the mailbox. */
export const proveRecovery: Prove = async (needs, request, record) => {
  const { store, clock, throttle, vault } = needs;
  const code = String(
    checkForm(needs, 'login-recovery', request.body.data_challenge, request.origin.language)['recovery'],
  );
  const counted = { address: request.origin.address, document: record.document };
  await throttle.admit('secondFactor', counted, clock.now());
  const wrong = new CallError(400, 'codigo_incorrecto', { field: 'recovery' });
  if (!(await hasRecoveryCode(store.db, vault, record.citizen_id ?? '', code))) {
    await noteFailure(needs, request, record);
    throw wrong;
  }
  await throttle.forgive('secondFactor', counted);
  return {
    factor: challengeNames.recoveryCode,
    async settle(tx) {
      if (!(await useRecoveryCode(tx, vault, record.citizen_id ?? '', code, clock.now()))) throw wrong;
    },
  };
};
