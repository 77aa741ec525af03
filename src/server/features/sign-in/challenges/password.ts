import { challengeNames, walletMethod } from '../../../trust/identity/names.ts';
import { expired } from '../../../trust/sessions/challenge-record.ts';
import { hasAny, isChosen, isProvenAlone, type Challenge } from './challenge.ts';
import { proveBySecret } from './prove-by-secret.ts';
import { limits } from '../../../trust/credentials/index.ts';

/** The password. An unknown account gets the same response after the same work. The transaction rechecks the hash, verified outside of it. */
export const password: Challenge = {
  name: challengeNames.password,
  due: ({ record }) => !isProvenAlone(record) && !hasAny(record, [challengeNames.password, walletMethod(1)]), // a wallet of level 1 is one factor, like the password
  answer: {
    limit: limits.signIn,
    /** A request for a mailed code instead of the app's is sent as the password step (section 4.5). */
    standsFor: ({ emailTOTP }) => (emailTOTP === true ? [challengeNames.totp] : []),
    /** Only the password itself returns to this step, not another request under its name. A citizen who goes back must prove it again. */
    goesBack: (data) => 'password' in data && data['emailTOTP'] !== true,
    async prove(...asked) {
      const [{ passwords }, request, record] = asked;
      const { emailTOTP, emailAgent, ...form } = request.body.data_challenge;
      const proof = await proveBySecret(asked, {
        factor: challengeNames.password,
        screen: 'login-contrasena',
        field: 'password',
        form,
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
  },
};
