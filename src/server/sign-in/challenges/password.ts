import { CallError } from '../../base/errors.ts';
import { passwordHashOf } from '../../identity/citizens.ts';
import { expired } from '../../sessions/challenge-record.ts';
import { checkForm } from './check-form.ts';
import { challengeNames } from '../../identity/names.ts';
import { noteFailure, type Prove } from './proof.ts';

/**
 * The password: throws one answer for a wrong password and for an account that does not exist, after the same work. The
 * hash is checked outside of any transaction, and compared once more inside of the one that counts on it.
 */
export const provePassword: Prove = async (needs, request, record) => {
  const { store, clock, throttle, passwords } = needs;
  const { emailTOTP, emailAgent, ...form } = request.body.data_challenge;
  const password = checkForm(needs, 'login-contrasena', form, request.origin.language)['password'];
  const counted = { address: request.origin.address, document: record.document };
  await throttle.admit('signIn', counted, clock.now());
  const stored = await passwordHashOf(store.db, record.citizen_id ?? '');
  if (!(await passwords.verify(stored, String(password)))) {
    await noteFailure(needs, request, record);
    throw new CallError(400, 'credenciales', { field: 'password' });
  }
  await throttle.forgive('signIn', counted);
  return {
    factor: challengeNames.password,
    byMail: emailTOTP === true,
    asAgent: emailAgent === true,
    async settle(tx) {
      if ((await passwordHashOf(tx, record.citizen_id ?? '')) !== stored) throw expired();
    },
  };
};
