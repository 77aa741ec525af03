import { activeFactors, useStep } from '../../../trust/credentials/second-factors.ts';
import { totpPurpose, totpSkewS, totpStep } from '../../../trust/credentials/totp.ts';
import { challengeNames, stepNames } from '../../../trust/identity/names.ts';
import { lacksSecondFactor, type Challenge, type Prove } from './challenge.ts';
import { proveTyped } from './prove-typed.ts';
import { proveRecovery } from './recovery.ts';
import { limits } from '../../../trust/credentials/limits.ts';

/** The authenticator app's step: its code, a recovery code in its place, or the wish for a code by e-mail where that method is set up. */
export const totp: Challenge = {
  name: challengeNames.totp,
  alias: stepNames.totp,
  due: (situation) =>
    lacksSecondFactor(situation) && situation.active.totp !== null && !(situation.byMail && situation.mailedCode),
  /** A recovery code comes as the app's step, also where a code by e-mail or a passkey is the second factor. */
  standsFor: (data) =>
    'recovery' in data ? [challengeNames.recoveryCode, challengeNames.passkey, challengeNames.otherFactor] : [],
  offer: async (_command, _needs, { mailedCode }) => ({ other: mailedCode }),
  async prove(needs, request, record) {
    const data = request.body.data_challenge;
    if (data['emailTOTP'] === true) return { factor: null, byMail: true, settle: async () => {} };
    return 'recovery' in data ? proveRecovery(needs, request, record) : proveCode(needs, request, record);
  },
};

const proveCode: Prove = (...asked) => {
  const [{ store, clock, vault }] = asked;
  const appOf = async (citizenId: string) => {
    const { totp: app } = await activeFactors(store.db, citizenId);
    return app?.secret == null ? null : { ...app, secret: vault.open(totpPurpose(app.id), app.secret) };
  };
  return proveTyped(asked, {
    factor: challengeNames.totp,
    screen: 'login-totp',
    field: 'totp',
    limit: limits.secondFactor,
    wrong: 'codigo_incorrecto',
    async find(code, citizenId) {
      const app = await appOf(citizenId);
      if (app === null) return null;
      const step = totpStep(app.secret, code, clock.now());
      return step === null || (app.last_step !== null && step <= app.last_step) ? null : { id: app.id, step };
    },
    async why(code, citizenId) {
      const app = await appOf(citizenId);
      if (app === null) return undefined;
      if (totpStep(app.secret, code, clock.now()) !== null) return 'used';
      const skewS = totpSkewS(app.secret, code, clock.now());
      return skewS === null ? 'wrong' : `clock-skew ${skewS} s`;
    },
    use: (tx, { id, step }) => useStep(tx, id, step),
  });
};
