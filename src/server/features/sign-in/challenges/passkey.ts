import { text } from '../../../platform/base/read-text.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { canProveCode, lacksSecondFactor, type Challenge, type Situation } from './challenge.ts';
import { passkeyOptions, proveUse } from './passkey-use.ts';
import { proveRecovery } from './recovery.ts';
import { limits } from '../../../trust/credentials/index.ts';

/** A passkey as the second factor. The answer is its use, a recovery code, or a request for another method or for new options. */
export const passkey: Challenge = {
  name: challengeNames.passkey,
  due: (situation) => lacksSecondFactor(situation) && wantsPasskey(situation),
  offer: {
    async prepare({ tx }, dependencies, { record, active, mailedCode }) {
      return {
        options: await passkeyOptions(tx, dependencies, { owner: record.hash, allowed: active.passkeys }),
        other: canProveCode({ active, mailedCode }),
      };
    },
  },
  answer: {
    limit: limits.secondFactor,
    async prove(dependencies, request, record, count) {
      const { options, other, ...form } = request.body.data_challenge;
      if (options === true || other === true)
        return { factor: null, otherMethod: other === true, settle: async () => {} };
      if ('recovery' in form) return proveRecovery(dependencies, request, record, count);
      await count();
      const { credential } = await dependencies.validateForm('login-llave', form, request);
      return (await proveUse(dependencies, request, record, { answer: text(credential), purpose: 'second-factor' }))
        .proof;
    },
  },
};

/** A citizen with only passkeys cannot bypass them with a code that was not set up. */
function wantsPasskey({ active, mailedCode, byMail, otherMethod }: Situation): boolean {
  return active.passkeys.length > 0 && !((byMail || otherMethod) && canProveCode({ active, mailedCode }));
}
