import { activeFactors, useStep } from '../../../trust/credentials/second-factors.ts';
import { totpPurpose, totpSkewS, totpStep } from '../../../trust/credentials/totp.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { lacksSecondFactor, type Challenge, type Prove } from './challenge.ts';
import { proveBySecret } from './prove-by-secret.ts';
import { proveRecovery } from './recovery-code.ts';
import { limits } from '../../../trust/credentials/index.ts';

/** The step of the authenticator app. The answer is its code, a recovery code, or a request for a mailed code if that method is set up. */
export const totp: Challenge = {
  name: challengeNames.totp,
  due: (situation) =>
    lacksSecondFactor(situation) && situation.active.totp !== null && !(situation.byMail && situation.mailedCode),
  offer: { prepare: async (_command, _needs, { mailedCode }) => ({ other: mailedCode }) },
  answer: {
    limit: limits.secondFactor,
    /** A recovery code is sent as the app's step, even if the second factor is a mailed code or a passkey. */
    standsFor: (data) =>
      'recovery' in data ? [challengeNames.recoveryCode, challengeNames.passkey, challengeNames.otherFactor] : [],
    async prove(dependencies, request, record, count) {
      const data = request.body.data_challenge;
      if (data['emailTOTP'] === true) return { factor: null, byMail: true, settle: async () => {} };
      return 'recovery' in data
        ? proveRecovery(dependencies, request, record, count)
        : proveCode(dependencies, request, record, count);
    },
  },
};

const proveCode: Prove = (...asked) => {
  const [{ store, clock, vault }] = asked;
  const findApp = async (citizenId: string) => {
    const { totp: app } = await activeFactors(store.db, citizenId);
    return app?.secret == null ? null : { ...app, secret: vault.open(totpPurpose(app.id), app.secret) };
  };
  return proveBySecret(asked, {
    factor: challengeNames.totp,
    screen: 'login-totp',
    field: 'totp',
    wrong: 'codigo_incorrecto',
    async find(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return null;
      const step = totpStep(app.secret, code, clock.now());
      return step === null || (app.last_step !== null && step <= app.last_step) ? null : { id: app.id, step };
    },
    async why(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return undefined;
      if (totpStep(app.secret, code, clock.now()) !== null) return 'used';
      const skewS = totpSkewS(app.secret, code, clock.now());
      return skewS === null ? 'wrong' : `clock-skew ${skewS} s`;
    },
    use: (tx, { id, step }) => useStep(tx, id, step),
  });
};
