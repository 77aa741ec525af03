import { documentId } from '../../../platform/base/document.ts';
import { text } from '../../../platform/base/read-text.ts';
import { findCitizen } from '../../../trust/identity/citizens.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { Challenge } from './challenge.ts';
import { openSignIn } from './open-sign-in.ts';
import { passkeyOptions, proveUse, refused } from './passkey-use.ts';
import { limits } from '../../../trust/sessions/limits.ts';
import { limits as credentialsLimits } from '../../../trust/credentials/limits.ts';

/** A passkey as the only method, which identifies the citizen. Its authenticator must verify the user (PIN, fingerprint, face): two factors. */
export const passkeySignIn: Challenge = {
  name: challengeNames.passkeySignIn,
  async open(needs, request) {
    const { store, clock, throttle } = needs;
    await throttle.admit(limits.challenge, { address: request.origin.address }, clock.now());
    const who = { step: challengeNames.passkeySignIn, document: '', citizen_id: null };
    const opened = await openSignIn(needs, request, who);
    const owner = hashSecret(opened.token);
    return { ...opened, options: await passkeyOptions(store.db, needs, { owner, allowed: null }) };
  },
  async prove(needs, request, record) {
    const { store, throttle, clock } = needs;
    const { address } = request.origin;
    await throttle.admit(credentialsLimits.passkey, { address }, clock.now());
    const { credential } = await needs.validateForm('login-llave-ingreso', request.body.data_challenge, request);
    const { proof, passkey } = await proveUse(needs, request, record, { answer: text(credential), purpose: 'sign-in' });
    const citizen = await findCitizen(store.db, passkey.citizen_id);
    if (citizen === null) throw refused();
    return {
      ...proof,
      forgives: [{ limit: credentialsLimits.passkey, counted: { address } }],
      citizen: { id: citizen.id, document: documentId(citizen) },
    };
  },
};
