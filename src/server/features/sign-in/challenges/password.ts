import { challengeNames, stepNames, walletMethod } from '../../../trust/identity/names.ts';
import { expired } from '../../../trust/sessions/challenge-record.ts';
import { hasAny, isChosen, isProvenAlone, type Challenge } from './challenge.ts';
import { proveTyped } from './prove-typed.ts';
import { limits } from '../../../trust/credentials/limits.ts';

/**
 * The password: one answer to a wrong password and for an account that does not exist, after the same work. The hash is checked outside of
 * any transaction, and compared once more inside of the one that counts on it.
 */
export const password: Challenge = {
  name: challengeNames.password,
  alias: stepNames.password,
  due: ({ record }) => !isProvenAlone(record) && !hasAny(record, [challengeNames.password, walletMethod(1)]), // that wallet is one factor, as the password is
  /** The wish for a mailed code in place of the app's comes as the password step again (section 4.5). */
  standsFor: ({ emailTOTP }) => (emailTOTP === true ? [challengeNames.totp] : []),
  /** By the password itself, and no wish under its name: who went back in the sign-in proves it anew. */
  goesBack: (data) => 'password' in data && data['emailTOTP'] !== true,
  async prove(...asked) {
    const [{ passwords }, request, record] = asked;
    const { emailTOTP, emailAgent, ...form } = request.body.data_challenge;
    const proof = await proveTyped(asked, {
      factor: challengeNames.password,
      screen: 'login-contrasena',
      field: 'password',
      form,
      limit: limits.signIn,
      wrong: 'credenciales',
      async find(typed) {
        const stored = record.password_hash;
        return (await passwords.verify(stored, typed)) ? { stored } : null;
      },
      use: async (_tx, { stored }, { passwordHash }) => passwordHash === stored,
      late: expired,
    });
    return { ...proof, byMail: emailTOTP === true, asAgent: isChosen(emailAgent) };
  },
};
