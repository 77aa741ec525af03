import { CallError } from '../../base/errors.ts';
import { totpPurpose, totpStep } from '../../credentials/totp.ts';
import { activeFactors, useStep } from '../../credentials/second-factors.ts';
import { checkForm } from './check-form.ts';
import { challengeNames } from '../../identity/names.ts';
import { noteFailure, type Prove } from './proof.ts';
import { proveRecovery } from './recovery.ts';

/** The authenticator app's step: its code, a recovery code in its place, or the wish for a code by e-mail. */
export const proveTotp: Prove = async (needs, request, record) => {
  const { emailTOTP, ...form } = request.body.data_challenge;
  if (emailTOTP === true) return { factor: null, byMail: true, settle: async () => {} };
  return 'recovery' in form ? proveRecovery(needs, request, record) : proveCode(needs, request, record);
};

const proveCode: Prove = async (needs, request, record) => {
  const { store, clock, throttle, vault } = needs;
  const code = String(checkForm(needs, 'login-totp', request.body.data_challenge, request.origin.language)['totp']);
  const counted = { address: request.origin.address, document: record.document };
  await throttle.admit('secondFactor', counted, clock.now());
  const { totp } = await activeFactors(store.db, record.citizen_id ?? '');
  const step = totp?.secret == null ? null : totpStep(vault.open(totpPurpose(totp.id), totp.secret), code, clock.now());
  const wrong = new CallError(400, 'codigo_incorrecto', { field: 'totp' });
  if (totp === null || step === null || (totp.last_step !== null && step <= totp.last_step)) {
    await noteFailure(needs, request, record);
    throw wrong;
  }
  await throttle.forgive('secondFactor', counted);
  return {
    factor: challengeNames.totp,
    async settle(tx) {
      if (!(await useStep(tx, totp.id, step))) throw wrong;
    },
  };
};
