import { text } from '../../../platform/base/read-text.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { countedDocument } from '../../../trust/sessions/known-devices.ts';
import { canProveCode, lacksSecondFactor, type Challenge, type Situation } from './challenge.ts';
import { passkeyOptions, proveUse } from './passkey-use.ts';
import { proveRecovery } from './recovery.ts';
import { limits } from '../../../trust/credentials/limits.ts';

/** A passkey as the second factor. The answer is its use, a recovery code, or a request for another method or for new options. */
export const passkey: Challenge = {
  name: challengeNames.passkey,
  due: (situation) => lacksSecondFactor(situation) && wantsPasskey(situation),
  async offer({ tx }, needs, { record, active, mailedCode }) {
    return {
      options: await passkeyOptions(tx, needs, { owner: record.hash, allowed: active.passkeys }),
      other: canProveCode({ active, mailedCode }),
    };
  },
  async prove(needs, request, record) {
    const { options, other, ...form } = request.body.data_challenge;
    if (options === true || other === true)
      return { factor: null, otherMethod: other === true, settle: async () => {} };
    if ('recovery' in form) return proveRecovery(needs, request, record);
    const counted = {
      address: request.origin.address,
      document: countedDocument(record.document, record.known_device),
    };
    await needs.throttle.admit(limits.secondFactor, counted, needs.clock.now());
    const { credential } = await needs.validateForm('login-llave', form, request);
    const { proof } = await proveUse(needs, request, record, { answer: text(credential), purpose: 'second-factor' });
    return { ...proof, forgives: [{ limit: limits.secondFactor, counted }] };
  },
};

/** A citizen with only passkeys cannot bypass them with a code that was not set up. */
function wantsPasskey({ active, mailedCode, byMail, otherMethod }: Situation): boolean {
  return active.passkeys.length > 0 && !((byMail || otherMethod) && canProveCode({ active, mailedCode }));
}
